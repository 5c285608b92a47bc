#include "runtime/frames.h"

#include <stddef.h>

#include "runtime/log.h"

__thread struct frames frames_self __attribute__((tls_model("initial-exec")));

static uint32_t watched(const struct frames *f)
{
    return f->depth < FRAMES_MAX ? f->depth : FRAMES_MAX;
}

static void record(const struct open_frame *frame)
{
    struct trace_function_long *r = log_reserve(sizeof *r);
    if (!r)
        return;
    r->duration = frame->jump > frame->start ? frame->jump - frame->start : 0;
    r->target = 0;
    r->probe = frame->id;
    r->how = TRACE_LEFT_BY_JUMP;
    log_commit(&r->head, frame->start, TRACE_FUNCTION_LONG);
}

static void forget_jump(struct frames *f)
{
    bool any = false;
    for (uint32_t i = 0; i < watched(f) && !any; i++)
        any = f->open[i].jump != 0;
    f->jumped = any;
}

void frames_leave_up_to(uintptr_t at)
{
    struct frames *f = &frames_self;
    uint32_t depth = watched(f);
    while (depth && f->open[depth - 1].jump && f->open[depth - 1].at <= at) {
        f->depth = --depth;
        record(&f->open[depth]);
    }
    forget_jump(f);
}

/* The frame leaves as it should: what is above it is gone, and what is below it has survived. A
 * frame above that no jump explains belongs to another stack of this thread, and will leave by
 * itself. */
static void leave_at(struct frames *f, uint32_t index)
{
    uint32_t end = watched(f);
    f->depth = index;
    for (uint32_t i = end; i-- > index + 1;)
        if (f->open[i].jump)
            record(&f->open[i]);
    if (f->open[index].jump)
        for (uint32_t i = 0; i < index; i++)
            f->open[i].jump = 0;
    forget_jump(f);
}

void frames_settle(uint64_t start)
{
    struct frames *f = &frames_self;
    for (uint32_t i = watched(f); i-- > 0;)
        if (f->open[i].start == start) {
            leave_at(f, i);
            return;
        }
    if (f->depth > FRAMES_MAX)
        f->depth--;
}

void frames_jump(uint64_t now)
{
    struct frames *f = &frames_self;
    for (uint32_t i = 0; i < watched(f); i++)
        if (!f->open[i].jump)
            f->open[i].jump = now;
    f->jumped = watched(f) > 0;
}
