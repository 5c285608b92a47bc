/* Compiled once for each name. */
static int NAME(int n)
{
#ifdef WIDE
    return abs(n) * 2;
#else
    return abs(n);
#endif
}
