/* Every way of the processor looks at records as the plain one does: random records, of which a few
 * are no calls, begin too early or end too early, and that one may be anywhere. */
#include <stdio.h>

#include "trace/call_scan.h"

enum { RECORDS = 40, CASES = 200000 };

static uint64_t state = 1;

static uint64_t draw(uint64_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 16) % bound;
}

static void draw_records(struct trace_function *records, uint64_t now, uint64_t one_in)
{
    for (uint32_t i = 0; i < RECORDS; i++) {
        uint64_t length = draw(1000), end = now += draw(300);
        if (draw(one_in) == 0)
            end -= draw(400);
        unsigned kind = draw(one_in) ? TRACE_FUNCTION : (unsigned)draw(256);
        records[i] = (struct trace_function){TRACE_HEAD(end - length, kind),
                                             length << TRACE_PROBE_BITS | draw(TRACE_PROBE_MAX)};
    }
}

/* The answers of a way. */
struct answers {
    uint32_t in_order;
    uint64_t first, last;
};

static struct answers ask(const struct call_scan *way, const struct trace_function *records,
                          uint32_t most, uint64_t inner, uint64_t first, uint64_t last)
{
    struct answers answers = {.first = first, .last = last};
    answers.in_order = way->in_order(records, most, inner, &answers.first, &answers.last);
    return answers;
}

/* The same, one record after the other. */
static struct answers expected(const struct trace_function *records, uint32_t most, uint64_t inner,
                               uint64_t first, uint64_t last)
{
    struct answers answers = {.first = first, .last = last};
    for (uint32_t i = 0; i < most && TRACE_HEAD_KIND(records[i].head) == TRACE_FUNCTION; i++) {
        uint64_t start = TRACE_HEAD_TICKS(records[i].head);
        uint64_t end = start + (records[i].duration_probe >> TRACE_PROBE_BITS);
        if (start < inner || end < answers.last)
            break;
        answers.in_order++;
        answers.first = start < answers.first ? start : answers.first;
        answers.last = end;
    }
    return answers;
}

int main(void)
{
    uint64_t seen[RECORDS + 1] = {0};
    for (uint32_t c = 0; c < CASES; c++) {
        struct trace_function records[RECORDS];
        uint64_t now = 2000 + draw(UINT64_C(1) << 55), inner = draw(3) ? 0 : now + draw(400) - 1000;
        uint64_t first = draw(2) ? UINT64_MAX : now - draw(3000),
                 last = draw(2) ? 0 : now - draw(9);
        uint32_t most = (uint32_t)draw(RECORDS + 1);
        draw_records(records, now, 2 + draw(60));
        struct answers right = expected(records, most, inner, first, last);
        const struct call_scan *way;
        for (uint32_t place = 0; (way = call_scan_at(place)); place++) {
            struct answers found = ask(way, records, most, inner, first, last);
            if (found.in_order != right.in_order || found.first != right.first ||
                found.last != right.last) {
                printf("case %u, %s: %u calls in order, not %u\n", c, way->name, found.in_order,
                       right.in_order);
                return 1;
            }
        }
        seen[right.in_order]++;
    }
    for (uint32_t n = 0; n <= RECORDS; n++)
        if (!seen[n]) {
            printf("no case of %u in order\n", n);
            return 1;
        }
    return 0;
}
