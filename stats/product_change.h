/* product_change.h - a difference of two products, by which factor it comes from.
 *
 *     time = calls * length             10 calls of 2 ms -> 40 calls of 3 ms: 100 ms more
 *     struct product_change change = product_change_of((double[2]){10, 40}, (double[2]){2, 3});
 *     change.first                      75 ms by calls: (40 - 10) * (2 + 3) / 2
 *     change.second                     25 ms by length: (3 - 2) * (10 + 40) / 2
 *
 * The two add up to the difference (Kitagawa, Journal of the American Statistical Association 50, 1955).
 */
#ifndef STATS_PRODUCT_CHANGE_H
#define STATS_PRODUCT_CHANGE_H

struct product_change {
    double whole, first, second;
};

struct product_change product_change_of(const double first[2], const double second[2]);

#endif
