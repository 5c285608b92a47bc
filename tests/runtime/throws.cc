// throws.cc: exceptions close the frames that they leave; std::thread works as ever.
#include "vprof_api.h"

#include "rewriter/probe.h"

#define VPROF_SWITCHES_1 4096
VPROF_SWITCH_TABLE_1

#include "rewriter/site.h"

#include <stdexcept>
#include <thread>

static int inner(int n)
{
    VPROF_FUNCTION(1)
    if (n == 0)
        throw std::runtime_error("found nothing");
    return inner(n - 1) + 1;
}

static int outer()
{
    VPROF_FUNCTION(2)
    try {
        return inner(4);
    } catch (const std::runtime_error &) {
        VPROF_FUNCTION(3)
        return -1;
    }
}

int main()
{
    int result = 0;
    SI_BEGIN(1);
    std::thread t([&] { result = outer(); });
    t.join();
    SI_END(1);
    return result == -1 ? 0 : 1;
}
