/* What is written to a row log is read back, from memory and from its file, also where there is
 * none. */
#include <stdio.h>
#include <stdlib.h>

#include "base/hash_map.h"
#include "variance/row_log.h"

/* Numbers of all sizes. */
static uint64_t number(uint64_t i)
{
    return hash_mix(i) >> hash_mix(i + 1) % 64;
}

static int check(uint64_t pairs, bool expect_file)
{
    struct row_log log = {0};
    int bad = 0;
    for (uint64_t i = 0; i < pairs; i++) {
        row_log_add(&log, number(2 * i), i % 3 ? number(2 * i + 1) : UINT64_MAX);
        if (i % 100 == 0)
            row_log_settle(&log);
    }
    bad += (log.spilled > 0) != expect_file;
    for (int round = 0; round < 2; round++) {
        struct row_log_reader reader = row_log_start(&log);
        for (uint64_t i = 0, first, second; i < pairs; i++) {
            row_log_next(&reader, &first, &second);
            bad += first != number(2 * i) || second != (i % 3 ? number(2 * i + 1) : UINT64_MAX);
        }
        row_log_end(&reader);
    }
    row_log_release(&log);
    if (bad)
        printf("%llu pairs: %d faults\n", (unsigned long long)pairs, bad);
    return bad;
}

int main(void)
{
    int bad = check(0, false) + check(1, false) + check(100000, false) + check(2000000, true);
    setenv("TMPDIR", "/nonexistent", 1);
    bad += check(2000000, false);
    return bad ? 1 : 0;
}
