// Mutexes wait by no futex that is seen here: another thing of that name is left alone.
#include <mutex>
struct machine {
    std::mutex mutex;
    int syscall(int n)
    {
        std::lock_guard<std::mutex> guard(mutex);
        return n;
    }
};
int run(machine &m);
int run(machine &m)
{
    return m.syscall(7);
}
