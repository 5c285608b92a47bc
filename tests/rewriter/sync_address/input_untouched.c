int untouched(int n);

int untouched(int n)
{
    return n;
}
