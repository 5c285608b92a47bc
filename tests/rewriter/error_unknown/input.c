static int handle(int n)
{
    return n;
}

int handler(int n)
{
    return handle(n);
}

int handled;
int andle(void)
{
    return 0;
}
