/* number.h - numbers as people read them.
 *
 *     fputs(number_ns(2.1e6, true).text, out);      "2.10 ms"
 *     number_percent(0.7183)                        "71.8 %"
 *     number_percent_short(0.7183)                  "72 %"; one decimal below 10 %, and beside 100 %
 *     number_bytes(3221225472)                      "3.22 GB"
 *     number_count(200000)                          "200,000"
 *     number_exact(sum)                             every digit of a 128-bit sum
 *
 * What is not a finite number is "-". Results are values: nothing to release.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

struct number {
    char text[48];
};

struct number number_ns(double ns, bool utf8); /* three digits and a unit; "us" without utf8 */
/* A fraction below this is printed as "0.0 %". */
#define NUMBER_LEAST_PERCENT 0.0005
struct number number_percent(double fraction);
struct number number_percent_short(double fraction);
struct number number_points(double fraction); /* "71.8": without the sign */
struct number number_count(uint64_t count);
struct number number_bytes(uint64_t bytes); /* of 1,000: kB, MB, GB, TB */
struct number number_ratio(double ratio);   /* "7.3x" */
struct number number_exact(__int128 value);
const char *number_plural(uint64_t count); /* "s", but for 1 */

#endif
