/* What is written to a row log is read back, from memory and from its file, also where there is
 * none. */
#include <stdio.h>
#include <stdlib.h>

#include "base/hash_map.h"
#include "variance/row_log.h"

/* In each row numbers of other sizes, up to all 64 bits. */
static uint64_t first_number(uint64_t row, uint64_t i)
{
    return hash_mix(2 * i) >> hash_mix(row) % 64;
}

static uint64_t second_number(uint64_t row, uint64_t i)
{
    return hash_mix(2 * i + 1) >> hash_mix(row + 1) % 64;
}

/* Most rows are short; some are longer than what a reader reads at once. */
static size_t row_length(uint64_t row)
{
    return row % 1000 == 999 ? 20000 : hash_mix(row) % 30;
}

static void add_row(struct row_log *log, uint64_t row, uint64_t *i)
{
    uint64_t firsts = 0, seconds = 0, end = *i + row_length(row);
    for (uint64_t k = *i; k < end; k++) {
        firsts |= first_number(row, k);
        seconds |= second_number(row, k);
    }
    struct row_log_row out = row_log_add(log, row_length(row), firsts, seconds);
    for (; *i < end; ++*i)
        row_log_put(&out, first_number(row, *i), second_number(row, *i));
}

static int check_row(struct row_log_reader *reader, uint64_t row, uint64_t *i)
{
    int bad = 0;
    struct row_log_row in = row_log_next(reader, row_length(row));
    for (uint64_t end = *i + row_length(row), first, second; *i < end; ++*i) {
        row_log_get(&in, &first, &second);
        bad += first != first_number(row, *i) || second != second_number(row, *i);
    }
    return bad;
}

static int check(uint64_t rows, bool expect_file)
{
    struct row_log log = {0};
    int bad = 0;
    uint64_t pairs = 0;
    for (uint64_t row = 0; row < rows; row++) {
        add_row(&log, row, &pairs);
        if (row % 10 == 0)
            row_log_settle(&log);
    }
    bad += (log.spilled > 0) != expect_file;
    for (int round = 0; round < 2; round++) {
        struct row_log_reader reader = row_log_start(&log);
        for (uint64_t row = 0, i = 0; row < rows; row++)
            bad += check_row(&reader, row, &i);
        row_log_end(&reader);
    }
    row_log_release(&log);
    if (bad)
        printf("%llu rows: %d faults\n", (unsigned long long)rows, bad);
    return bad;
}

int main(void)
{
    int bad = check(0, false) + check(1, false) + check(3000, false) + check(100000, true);
    setenv("TMPDIR", "/nonexistent", 1);
    bad += check(100000, false);
    return bad ? 1 : 0;
}
