// It holds such members, but uses none: it stays as it is.
#include <mutex>
struct holder {
    std::mutex mutex;
    int n;
};
int get(const holder &h);
int get(const holder &h)
{
    return h.n;
}
