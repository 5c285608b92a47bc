/* Block borders and intervals worked out by hand. */
#include "stats/jackknife.h"

#include <math.h>
#include <stdio.h>

static int failures;

static void expect(const char *what, double got, double expected)
{
    if (fabs(got - expected) < 1e-3)
        return;
    printf("%s is %.17g, expected %.17g\n", what, got, expected);
    failures++;
}

static void borders(void)
{
    uint32_t size[4] = {0}, last = 0;
    for (size_t i = 0; i < 10; i++) {
        uint32_t block = jackknife_block(i, 10, 4);
        expect("in order", block >= last && block < 4, 1);
        last = block;
        size[block]++;
    }
    for (int b = 0; b < 4; b++)
        expect("size 2 or 3", size[b] == 2 || size[b] == 3, 1);
    expect("few", jackknife_block_count(3), 3);
    expect("many", jackknife_block_count(1000), 20);
}

/* left out 1, 2, 3: mean 2, squares 2, se^2 = 2/3 * 2, t(2) = 4.303: half = 4.9687
 * For a mean of blocks, se is the usual standard error: blocks 2, 4, 6, 8 of one value; left out
 * means 6, 16/3, 14/3, 4; s^2 = 20/3, se = sqrt(20/12) = 1.29099, t(3) = 3.182: 4.1079 */
static void intervals(void)
{
    double ci[2];
    jackknife_interval((double[]){1, 2, 3}, 3, 2, ci);
    expect("low", ci[0], 2 - 4.9687);
    expect("high", ci[1], 2 + 4.9687);
    jackknife_interval((double[]){6, 16 / 3.0, 14 / 3.0, 4}, 4, 5, ci);
    expect("low", ci[0], 5 - 4.1079);
    expect("high", ci[1], 5 + 4.1079);
    jackknife_interval((double[]){1}, 1, 7, ci);
    expect("one block", ci[0], 7);
    jackknife_interval(NULL, 0, 7, ci);
    expect("no block", ci[1], 7);
}

int main(void)
{
    borders();
    intervals();
    printf("%d failed\n", failures);
    return failures != 0;
}
