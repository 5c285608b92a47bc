#include "report/kit/doubt.h"

#include <stdarg.h>

#include "base/memory.h"
#include "base/str.h"

/* A new doubt stands behind all doubts of its subject, and of the subjects before that one. */
static void put(struct doubts *doubts, struct report_warning doubt)
{
    VEC_PUSH(doubts->items, doubts->count, doubts->capacity) = doubt;
    uint32_t at = doubts->count - 1;
    for (; at > 0 && doubts->items[at - 1].subject > doubt.subject; at--)
        doubts->items[at] = doubts->items[at - 1];
    doubts->items[at] = doubt;
}

void doubts_add(struct doubts *doubts, enum doubt_subject subject, const char *code,
                const char *format, ...)
{
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    put(doubts, (struct report_warning){code, text.data, subject});
}

void doubts_release(struct doubts *doubts)
{
    for (uint32_t i = 0; i < doubts->count; i++)
        memory_free((char *)(uintptr_t)doubts->items[i].message);
    memory_free(doubts->items);
    *doubts = (struct doubts){0};
}
