int handle(int n)
{
    if (n)
        n++;

    return n;
}
