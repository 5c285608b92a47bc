/* Places and labels worked out by hand. */
#include "report/kit/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect_ticks(struct axis axis, uint32_t most, const char *expected)
{
    struct axis_tick ticks[AXIS_TICKS];
    char text[400] = "";
    uint32_t count = axis_ticks(&axis, most, false, ticks);
    for (uint32_t i = 0; i < count; i++) {
        strcat(text, i ? ", " : "");
        strcat(text, ticks[i].label.text);
    }
    if (strcmp(text, expected) == 0 && count <= most)
        return;
    printf("ticks of %g to %g are %s, expected %s\n", axis.from, axis.to, text, expected);
    failures++;
}

static void expect_at(struct axis axis, double ns, double expected)
{
    double at = axis_at(&axis, ns);
    if (fabs(at - expected) < 1e-12)
        return;
    printf("%g is at %g, expected %g\n", ns, at, expected);
    failures++;
}

int main(void)
{
    expect_at((struct axis){0, 200, false}, 50, 0.25);
    expect_at((struct axis){100, 200, false}, 250, 1);
    expect_at((struct axis){1e5, 1e7, true}, 1e6, 0.5);
    expect_at((struct axis){1e5, 1e7, true}, 10, 0);
    expect_at((struct axis){7, 7, false}, 7, 0);
    expect_ticks((struct axis){0, 11.9e6, false}, 8, "0, 2 ms, 4 ms, 6 ms, 8 ms, 10 ms");
    expect_ticks((struct axis){0, 250, false}, 6, "0, 50 ns, 100 ns, 150 ns, 200 ns, 250 ns");
    expect_ticks((struct axis){234900, 235100, false}, 5,
                 "234.9 us, 234.95 us, 235 us, 235.05 us, 235.1 us");
    expect_ticks((struct axis){1e5, 1e7, true}, 8,
                 "100 us, 200 us, 500 us, 1 ms, 2 ms, 5 ms, 10 ms");
    expect_ticks((struct axis){1e5, 1e8, true}, 8,
                 "100 us, 300 us, 1 ms, 3 ms, 10 ms, 30 ms, 100 ms");
    expect_ticks((struct axis){90, 2e9, true}, 9,
                 "100 ns, 1 us, 10 us, 100 us, 1 ms, 10 ms, 100 ms, 1 s");
    expect_ticks((struct axis){90, 2e9, true}, 5, "100 ns, 10 us, 1 ms, 100 ms");
    expect_ticks((struct axis){2e5, 7e5, true}, 8,
                 "200 us, 300 us, 400 us, 500 us, 600 us, 700 us");
    expect_ticks((struct axis){5, 5, false}, 8, "");
    printf("%d failed\n", failures);
    return failures != 0;
}
