/* sizes.c - requests that are asked for more or less, and a pause that nobody asked for.
 *
 *     answer -> read_rows    usleep     0.2 ms for each row: the size of the work
 *            -> settle       poll       10 ms, now and then: whatever was asked for
 *
 * A lookup reads 1 to 20 rows, a scan 21 to 40. What goes with the rows is inherent, and so is what
 * lies between the types; the rest, which is settle's, can be avoided.
 */
#include <poll.h>
#include <stddef.h>
#include <unistd.h>

#include "planted.h"
#include "vprof_api.h"

enum { REQUESTS = 300, KIND_ROWS = 20, ROW_US = 200, PAUSE_MS = 10 };
enum { PAUSE = 1 };

static struct truth_row rows[REQUESTS];

static __attribute__((noinline)) void read_rows(int64_t count)
{
    usleep((useconds_t)(ROW_US * count));
}

static __attribute__((noinline)) void settle(int must, struct truth_row *row)
{
    int64_t start = now_ns();
    if (must)
        poll(NULL, 0, PAUSE_MS);
    row->ns[PAUSE] = now_ns() - start;
}

static void answer(int must_settle, struct truth_row *row)
{
    int64_t start = now_ns();
    read_rows(row->size);
    settle(must_settle, row);
    row->ns[LATENCY] = now_ns() - start;
}

int main(void)
{
    unsigned chance = 521288629;
    for (int i = 0; i < REQUESTS; i++) {
        struct truth_row *row = &rows[i];
        int scans = random_below(&chance, 2) == 0;
        row->size = 1 + (scans ? KIND_ROWS : 0) + (int64_t)random_below(&chance, KIND_ROWS);
        row->type = scans ? "scan" : "lookup";
        int must_settle = random_below(&chance, 100) < 15;
        if (scans) {
            SI_BEGIN_AS(row, "scan");
        } else {
            SI_BEGIN(row);
        }
        answer(must_settle, row);
        /* What a request was may be told at its end, and its size bit by bit. */
        SI_VALUE(row, "rows", row->size - 1);
        SI_VALUE(row, "rows", 1);
        if (!scans)
            SI_TYPE(row, "lookup");
        SI_END(row);
    }
    truth_write((const char *const[]){"pause"}, 1, rows, REQUESTS);
    return 0;
}
