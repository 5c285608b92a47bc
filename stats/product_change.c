#include "stats/product_change.h"

struct product_change product_change_of(const double first[2], const double second[2])
{
    return (struct product_change){.whole = first[1] * second[1] - first[0] * second[0],
                                   .first = (first[1] - first[0]) * (second[0] + second[1]) / 2,
                                   .second = (second[1] - second[0]) * (first[0] + first[1]) / 2};
}
