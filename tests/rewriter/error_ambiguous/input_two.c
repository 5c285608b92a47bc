static int run(int n)
{
    return n;
}

int second(void)
{
    return run(1);
}
