static inline int inner(int n)
{VPROF_FUNCTION(2)
    return n + 1;
}
struct Holder {
    int value() {VPROF_FUNCTION(3) return inner(2); }
};
