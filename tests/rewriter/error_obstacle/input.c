inline int run(int n)
{
    return n;
}
