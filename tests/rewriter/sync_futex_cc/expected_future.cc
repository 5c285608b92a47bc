// Only futures: none of pthreads' names.
#include <future>
int take(std::future<int> &future);
int take(std::future<int> &future)
{
    return future.get();
}
