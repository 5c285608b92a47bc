/* pointer.c - the slow call is made through a pointer, and its function is not in the source.
 *
 *     store_record -> record_put -> ops->append     memory_append, here
 *                                   ops->flush      usleep, in the C library
 *
 * A store reaches its device through a table of operations. The device of this example is slow in
 * the plainest way: its flush is usleep() itself. The source never says that flush is usleep, so
 * the name can come from the running program only.
 */
#include <stddef.h>
#include <unistd.h>

#include "planted.h"
#include "vprof_api.h"

enum { REQUESTS = 440, LOG_BYTES = 4096 };
enum { FLUSH = 1 };

struct device_ops {
    void (*append)(unsigned byte);
    int (*flush)(useconds_t microseconds);
};

static unsigned char journal[LOG_BYTES];
static unsigned journal_end;
static struct truth_row rows[REQUESTS];

static void memory_append(unsigned byte)
{
    journal[journal_end++ % LOG_BYTES] = (unsigned char)byte;
}

static const struct device_ops slow_device = {memory_append, usleep};

static void record_put(const struct device_ops *ops, unsigned pending, struct truth_row *row)
{
    for (unsigned i = 0; i < 16; i++)
        ops->append(pending + i);
    int64_t start = now_ns();
    ops->flush(pending);
    row->ns[FLUSH] = now_ns() - start;
}

static void store_record(const struct device_ops *ops, unsigned pending, struct truth_row *row)
{
    int64_t start = now_ns();
    record_put(ops, pending, row);
    row->ns[LATENCY] = now_ns() - start;
}

int main(void)
{
    unsigned chance = 123456789;
    for (int i = 0; i < REQUESTS; i++) {
        /* One flush in five finds much to write. */
        unsigned pending = random_below(&chance, 5) ? 1000 : 6000 + random_below(&chance, 6000);
        SI_BEGIN(&rows[i]);
        store_record(&slow_device, pending, &rows[i]);
        SI_END(&rows[i]);
    }
    truth_write((const char *const[]){"flush"}, 1, rows, REQUESTS);
    return 0;
}
