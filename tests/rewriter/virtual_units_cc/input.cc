#include "input.h"
#include <cstdio>

int main()
{
    std::unique_ptr<Shape> shape = make(3);
    std::printf("%d %d %s\n", shape->area(), shape->sides(), shape->name());
    return 0;
}
