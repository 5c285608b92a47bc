/* Compiled once for each name. */
static int NAME(int n)
{VPROF_FUNCTION(4)
#ifdef WIDE
    return __extension__({VPROF_FUNCTION(12) abs(n);}) * 2;
#else
    return __extension__({VPROF_FUNCTION(13) abs(n);});
#endif
}
