static int run(int n)
{
    return n;
}

int first(void)
{
    return run(1);
}
