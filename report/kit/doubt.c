#include "report/kit/doubt.h"

#include <stdarg.h>

#include "base/memory.h"
#include "base/str.h"

/* A new doubt stands behind all doubts of its subject, and of the subjects before that one. */
static uint32_t make_room(struct doubts *doubts, enum doubt_subject subject)
{
    VEC_PUSH(doubts->subjects, doubts->subject_count, doubts->subject_capacity) = subject;
    VEC_PUSH(doubts->items, doubts->count, doubts->capacity) = (struct report_warning){NULL, NULL};
    uint32_t at = doubts->count - 1;
    for (; at > 0 && doubts->subjects[at - 1] > subject; at--) {
        doubts->items[at] = doubts->items[at - 1];
        doubts->subjects[at] = doubts->subjects[at - 1];
    }
    doubts->subjects[at] = subject;
    return at;
}

void doubts_add(struct doubts *doubts, enum doubt_subject subject, const char *code,
                const char *format, ...)
{
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    uint32_t at = make_room(doubts, subject); /* which may move the items */
    doubts->items[at] = (struct report_warning){code, text.data};
}

void doubts_release(struct doubts *doubts)
{
    for (uint32_t i = 0; i < doubts->count; i++)
        memory_free((char *)(uintptr_t)doubts->items[i].message);
    memory_free(doubts->items);
    memory_free(doubts->subjects);
    *doubts = (struct doubts){0};
}
