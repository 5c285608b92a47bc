/* test_obstacle.c - every obstacle has a text of its own, and no obstacle has none. */
#include <string.h>

#include "check.h"
#include "rewriter/obstacle.h"

int main(void)
{
    CHECK(obstacle_text(OBSTACLE_NONE) == NULL);
    for (int i = OBSTACLE_NONE + 1; i < OBSTACLE_COUNT; i++) {
        const char *text = obstacle_text((enum obstacle)i);
        CHECK(text != NULL);
        for (int k = OBSTACLE_NONE + 1; text && k < i; k++)
            CHECK(strcmp(text, obstacle_text((enum obstacle)k)) != 0);
    }
    return failures != 0;
}
