#include <cstdio>

namespace outer {
#include "input_body.h"
}

int main()
{
    return std::printf("%d %d\n", outer::inner(1), outer::Holder().value()) < 0;
}
