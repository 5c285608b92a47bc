/* The pages of random logs against nest_build's tree of the whole. Some are nested as calls are;
 * some have signal handlers whose calls stand before the one that they interrupted; some have a
 * call that overlaps others or ends out of order, which no page boundary may hide. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

#include "base/file.h"
#include "base/str.h"
#include "pages_check.h"
#include "trace/timeline_load.h"
#include "trace/trace_format.h"
#include "vprof_api.h"

enum { CASES = 3000, MOST_CALLS = 120, MOST_DEPTH = 12 };

static uint64_t state = 77;

static uint64_t random_below(uint64_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 8) % bound;
}

static void append(struct str *text, const void *data, size_t size)
{
    str_append_bytes(text, data, size);
}

static void append_call(struct str *text, uint64_t start, uint64_t end, uint32_t probe)
{
    if (random_below(5) == 0) {
        struct trace_function_long call = {
            .head = TRACE_HEAD(start, TRACE_CALL), .duration = end - start, .target = start + 1};
        call.probe = probe;
        append(text, &call, sizeof call);
        return;
    }
    struct trace_function call = {TRACE_HEAD(start, TRACE_FUNCTION),
                                  (end - start) << TRACE_PROBE_BITS | probe};
    append(text, &call, sizeof call);
}

/* Behind one, a page may end. */
static void append_mark(struct str *text, uint64_t ticks)
{
    struct trace_mark mark = {.head = TRACE_HEAD(ticks, TRACE_MARK), .what = VPROF_MARK_PROGRESS};
    append(text, &mark, sizeof mark);
}

static void append_short_call(struct str *text, uint64_t start, uint64_t end)
{
    struct trace_function call = {TRACE_HEAD(start, TRACE_FUNCTION),
                                  (end - start) << TRACE_PROBE_BITS | 3};
    append(text, &call, sizeof call);
}

/* A call, and before it that of the handler which interrupted its record; returns when all is over.
 */
static uint64_t append_late_call(struct str *text, uint64_t start, uint64_t end)
{
    append_short_call(text, end + 2, end + 4);
    append_short_call(text, start, end);
    return end + 5;
}

enum order { NESTED, DISORDER, HANDLERS };

/* Calls in the order of their ends; with DISORDER, one in ten is not as it should be. */
static void append_calls(struct str *text, enum order order)
{
    bool disorder = order == DISORDER;
    uint64_t now = 1, open[MOST_DEPTH];
    uint32_t depth = 0, calls = (uint32_t)random_below(MOST_CALLS);
    for (uint32_t i = 0; i < calls || depth;) {
        now += random_below(4) * random_below(3);
        bool enter = i < calls && depth < MOST_DEPTH && random_below(2);
        if (enter) {
            open[depth++] = now;
            i++;
        } else if (depth) {
            uint64_t start = open[--depth], end = now;
            if (disorder && random_below(10) == 0)
                start = start > 5 ? start - random_below(5) : start;
            if (disorder && random_below(10) == 0)
                end = start + random_below(end - start + 1);
            if (order == HANDLERS && random_below(5) == 0)
                now = append_late_call(text, start, end);
            else
                append_call(text, start, end, 1 + (uint32_t)random_below(9));
            if (random_below(4) == 0)
                append_mark(text, now + random_below(disorder ? 9 : order == NESTED ? 2 : 1));
        }
    }
}

static void make_file(struct str *text, enum order order)
{
    struct trace_file_header header = {.magic = TRACE_MAGIC,
                                       .version = TRACE_VERSION,
                                       .header_size = TRACE_PAGE,
                                       .pid = 1,
                                       .clock = TRACE_CLOCK_TSC,
                                       .end = TRACE_EXITED,
                                       .threads = 1,
                                       .calibration = {{0, 0}, {3000, 2000}}};
    struct trace_chunk chunk = {.magic = TRACE_CHUNK_MAGIC, .kind = TRACE_CHUNK_LOG, .tid = 7};
    struct str log = {0};
    append_calls(&log, order);
    chunk.thread = 1;
    chunk.size = (sizeof chunk + log.length + TRACE_PAGE) / TRACE_PAGE * TRACE_PAGE;
    str_clear(text);
    append(text, &header, sizeof header);
    static const char zeros[TRACE_PAGE];
    append(text, zeros, TRACE_PAGE - sizeof header);
    append(text, &chunk, sizeof chunk);
    if (log.length)
        append(text, log.data, log.length);
    while (text->length < TRACE_PAGE + chunk.size)
        append(text, zeros, 1);
    str_release(&log);
}

static uint32_t check_case(const char *folder, const char *path, const struct str *text)
{
    static const uint32_t page_calls[] = {1, 2, 3, 5, 16, 200};
    struct timelines loaded, opened;
    struct error error = {ERROR_NONE, ""};
    uint32_t paged = 0;
    CHECK(file_write(path, text->data, text->length, &error));
    CHECK(timelines_load(&loaded, folder, &error));
    for (size_t i = 0; i < sizeof page_calls / sizeof *page_calls; i++) {
        CHECK(timelines_open_pages(&opened, folder, page_calls[i], &error));
        const char *fault = pages_check(&loaded, &opened);
        if (fault)
            printf("%u calls a page, %u in all: %s\n", page_calls[i], loaded.threads[0].span_count,
                   fault);
        CHECK(!fault);
        paged += opened.threads[0].pages != NULL;
        timelines_release(&opened);
    }
    timelines_release(&loaded);
    return paged;
}

int main(void)
{
    char folder[] = "/tmp/vprofiler-pages-XXXXXX";
    struct str path = {0}, text = {0};
    struct error error;
    uint32_t paged[HANDLERS + 1] = {0};
    CHECK(mkdtemp(folder));
    str_printf(&path, "%s/1.vtr", folder);
    for (int i = 0; i < CASES && !check_failures; i++) {
        make_file(&text, (enum order)(i % 3));
        paged[i % 3] += check_case(folder, path.data, &text);
    }
    CHECK(paged[NESTED] == CASES / 3 * 6);
    CHECK(paged[DISORDER] > CASES / 20);
    CHECK(paged[HANDLERS] == CASES / 3 * 6);
    file_remove_tree(folder, &error);
    str_release(&path);
    str_release(&text);
    return CHECK_DONE();
}
