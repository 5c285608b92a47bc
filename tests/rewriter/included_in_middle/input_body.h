static inline int inner(int n)
{
    return n + 1;
}
struct Holder {
    int value() { return inner(2); }
};
