#include "input.h"
#include <cstdio>

int main()
{VPROF_FUNCTION(1)
    std::unique_ptr<Shape> shape = make(3);
    __extension__({VPROF_FUNCTION(10) std::printf("%d %d %s\n", VPROF_RESTART(10, shape->area()), VPROF_RESTART(10, shape->sides()), VPROF_RESTART(10, shape->name()));});
    return 0;
}
