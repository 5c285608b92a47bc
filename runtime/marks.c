#include "runtime/marks.h"

#include "runtime/clock.h"
#include "runtime/delay.h"
#include "runtime/log.h"

#define VPROF_TYPES_ONLY
#include "vprof_api.h"

static struct delay_stamp stamp(unsigned what, unsigned long id)
{
    return delay_is_on() ? delay_stamp(what, id) : (struct delay_stamp){0, false};
}

void marks_plain(unsigned what, unsigned long id)
{
    struct delay_stamp delay = stamp(what, id);
    struct trace_mark *r = log_reserve(sizeof *r);
    if (r) {
        r->id = id;
        r->what = what;
        r->spare0 = 0;
        r->delay_ns = delay.delay_ns;
        log_commit(&r->head, clock_now(), TRACE_MARK);
    }
    delay_stamped(delay);
}

void marks_named(unsigned what, unsigned long id, const char *name, long value)
{
    struct trace_name *r = log_reserve(sizeof *r);
    if (!r)
        return;
    size_t n = 0;
    for (; n < sizeof r->name - 1 && name[n]; n++)
        r->name[n] = name[n];
    for (; n < sizeof r->name; n++)
        r->name[n] = '\0';
    r->id = id;
    r->value = value;
    r->what = what;
    log_commit(&r->head, clock_now(), TRACE_NAME);
}

void marks_progress(const char *name, unsigned probe)
{
    struct delay_stamp delay = stamp(VPROF_MARK_PROGRESS, 0);
    marks_named(VPROF_MARK_PROGRESS, probe, name, (long)delay.delay_ns);
    delay_stamped(delay);
}
