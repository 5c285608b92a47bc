#include "sim_answer.h"

#include <stdlib.h>

#include "base/memory.h"

#define NEVER INT64_MAX
#define WHOLE SIM_WINDOWS
#define DONE_BEFORE 1000000 /* a disk's interrupt comes so soon after its request is done */

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- the events, in order ---- */

/* Of a moment, who is woken in it comes after what was done, and who goes or comes after that. */
static int rank(const struct sim_event *event)
{
    return event->kind == SIM_SWITCH ? 2 : event->kind == SIM_WAKING ? 1 : 0;
}

static int by_time(const void *a, const void *b)
{
    const struct sim_event *p = a, *q = b;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    if (rank(p) != rank(q))
        return rank(p) < rank(q) ? -1 : 1;
    if (p->processor != q->processor)
        return p->processor < q->processor ? -1 : 1;
    return 0;
}

/* Stable: those of one processor stay as they were written. */
static void sort_events(struct sim_answer *a)
{
    size_t count = a->sim->seen_count;
    a->events = memory_alloc((count + 1) * sizeof *a->events);
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && by_time(&a->events[at - 1], &a->sim->seen[i]) > 0; at--)
            a->events[at] = a->events[at - 1];
        a->events[at] = a->sim->seen[i];
    }
}

static bool goes(const struct sim_event *event, uint32_t task)
{
    return event->kind == SIM_SWITCH && event->task == task;
}

static bool comes(const struct sim_event *event, uint32_t task)
{
    return event->kind == SIM_SWITCH && event->other == task;
}

static bool is_woken(const struct sim_event *event, uint32_t task)
{
    return event->kind == SIM_WAKING && event->task == task;
}

static bool is_gap(const struct sim_event *event)
{
    return event->kind == SIM_MISSED || event->kind == SIM_PAUSE;
}

/* Of a gap: can a thread have got a processor in it and gone again? For that two switches were missed, both of
 * the processor that it got, and behind the last one that was told of it. */
static bool can_hide_a_run(const struct sim_answer *a, size_t gap)
{
    const struct sim_event *events = a->events;
    uint32_t missed = 0;
    if (events[gap].kind == SIM_PAUSE)
        return true;
    for (size_t i = gap + 1; i-- > 0;) {
        if (events[i].processor != events[gap].processor)
            continue;
        if (events[i].kind == SIM_SWITCH)
            break;
        missed += events[i].kind == SIM_MISSED ? events[i].other : 0;
    }
    return missed >= 2;
}

/* ---- waits ---- */

static uint32_t vertex_of(const struct sim_answer *a, enum sim_vertex kind)
{
    return (uint32_t)a->sim->task_count + (uint32_t)kind;
}

static uint32_t vertex_of_device(const struct sim_answer *a, uint32_t device)
{
    return vertex_of(a, SIM_VERTICES) + device;
}

static bool is_of_run(const struct sim_answer *a, uint32_t vertex)
{
    return vertex < a->sim->task_count && a->sim->tasks[vertex].of_run;
}

/* The device whose request was done last before the waking: on its processor, else on any. */
static uint32_t device_before(const struct sim_answer *a, size_t waking)
{
    const struct sim_event *events = a->events;
    for (int any = 0; any <= 1; any++)
        for (size_t i = waking; i-- > 0 && events[waking].time - events[i].time <= DONE_BEFORE;)
            if (events[i].kind == SIM_REQUEST && events[i].done &&
                (any || events[i].processor == events[waking].processor))
                return vertex_of_device(a, events[i].other);
    return vertex_of(a, SIM_VERTEX_INTERRUPT);
}

static uint32_t whom_of_waking(const struct sim_answer *a, size_t waking)
{
    const struct sim_event *event = &a->events[waking];
    if (event->context == SIM_THREAD)
        return event->other == SIM_IDLE ? vertex_of(a, SIM_VERTEX_UNKNOWN) : event->other;
    if (event->interrupt == SIM_DISK)
        return device_before(a, waking);
    return vertex_of(a, event->interrupt == SIM_TIMER     ? SIM_VERTEX_TIMER
                        : event->interrupt == SIM_NETWORK ? SIM_VERTEX_NETWORK
                                                          : SIM_VERTEX_INTERRUPT);
}

/* Nobody was seen to wake it: whom it gave a request since it came, where no signal could wake it. */
static uint32_t whom_unwoken(const struct sim_answer *a, size_t out)
{
    uint32_t task = a->events[out].task;
    for (size_t i = out; a->events[out].state == SIM_UNINTERRUPTIBLE && i-- > 0;) {
        const struct sim_event *event = &a->events[i];
        if (comes(event, task))
            break;
        if (event->kind == SIM_REQUEST && !event->done && event->task == task)
            return vertex_of_device(a, event->other);
    }
    return vertex_of(a, SIM_VERTEX_UNKNOWN);
}

/* The last waking before it went, which another processor told of: it did not wait. */
static bool is_woken_early(struct sim_answer *a, size_t out)
{
    uint32_t task = a->events[out].task;
    for (size_t i = out; i-- > 0;) {
        const struct sim_event *event = &a->events[i];
        if (is_gap(event) || comes(event, task) || goes(event, task))
            return false;
        if (is_woken(event, task)) {
            a->early++;
            return true;
        }
    }
    return false;
}

/* From a switch until before event `end`; until then it had not come back at `until`. */
static struct sim_wait wait_from(struct sim_answer *a, size_t out, size_t end, int64_t until)
{
    const struct sim_event *went = &a->events[out];
    struct sim_wait wait = {went->time, went->time, went->task, vertex_of(a, SIM_VERTEX_UNKNOWN)};
    if (went->state == SIM_RUNNABLE)
        return wait;
    for (size_t i = out + 1; i < end; i++)
        if (is_woken(&a->events[i], went->task)) {
            wait.end = a->events[i].time;
            wait.whom = whom_of_waking(a, i);
            return wait;
        }
    if (is_woken_early(a, out))
        return wait;
    wait.end = until;
    wait.whom = whom_unwoken(a, out);
    return wait;
}

static void add_wait(struct sim_answer *a, struct sim_wait wait)
{
    if (wait.end > wait.begin)
        VEC_PUSH(a->waits, a->wait_count, a->wait_capacity) = wait;
}

/* The switch with which the task went before `end`, or SIZE_MAX: it is not known since when it was off. It came at
 * `end`, or had not come at the end of all: then it may have done so in any gap, and still run. */
static size_t went_before(const struct sim_answer *a, uint32_t task, size_t end)
{
    bool came = end < a->sim->seen_count;
    for (size_t i = end; i-- > 0;) {
        const struct sim_event *event = &a->events[i];
        if (is_gap(event) && (!came || can_hide_a_run(a, i)))
            return SIZE_MAX;
        if (comes(event, task))
            return SIZE_MAX;
        if (goes(event, task))
            return event->state == SIM_ENDED ? SIZE_MAX : i;
    }
    return SIZE_MAX;
}

/* ---- processors ---- */

/* Who has the processor from a switch on, and until when. */
static uint32_t had_from(const struct sim_answer *a, size_t at, int64_t *until)
{
    uint32_t had = a->events[at].other, processor = a->events[at].processor;
    for (size_t i = at + 1; i < a->sim->seen_count; i++) {
        const struct sim_event *event = &a->events[i];
        if (event->processor != processor)
            continue;
        if (is_gap(event))
            had = SIM_NOBODY;
        if (event->kind != SIM_SWITCH)
            continue;
        *until = event->time;
        return event->task == had ? had : SIM_NOBODY;
    }
    *until = a->events[a->sim->seen_count - 1].time;
    return had;
}

static void add_charge(struct sim_answer *a, uint32_t who, uint32_t had, int64_t time)
{
    if (time <= 0)
        return;
    for (size_t i = 0; i < a->charge_count; i++)
        if (a->charges[i].who == who && a->charges[i].had == had) {
            a->charges[i].time += time;
            return;
        }
    VEC_PUSH(a->charges, a->charge_count, a->charge_capacity) = (struct sim_charge){who, had, time};
}

/* From `from` until event `in`, with which it gets its processor. */
static void charge(struct sim_answer *a, int64_t from, size_t in)
{
    const struct sim_event *came = &a->events[in];
    int64_t rest = came->time - from;
    for (size_t i = 0; i < in; i++) {
        int64_t until;
        if (a->events[i].kind != SIM_SWITCH || a->events[i].processor != came->processor)
            continue;
        uint32_t had = had_from(a, i, &until);
        int64_t time = sooner(until, came->time) - later(a->events[i].time, from);
        if (time > 0)
            rest -= time;
        add_charge(a, came->other, had, time);
    }
    add_charge(a, came->other, SIM_NOBODY, rest);
}

static void find_waits(struct sim_answer *a)
{
    size_t count = a->sim->seen_count;
    int64_t until = count ? a->events[count - 1].time : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t task = a->events[i].other;
        if (a->events[i].kind != SIM_SWITCH || task == SIM_IDLE)
            continue;
        size_t out = went_before(a, task, i);
        if (out == SIZE_MAX)
            continue;
        struct sim_wait wait = wait_from(a, out, i, a->events[i].time);
        add_wait(a, wait);
        if (is_of_run(a, task))
            charge(a, wait.end, i);
    }
    for (uint32_t task = 1; task < a->sim->task_count; task++) {
        size_t out = went_before(a, task, count);
        if (out == SIZE_MAX || a->events[out].time == until)
            continue;
        struct sim_wait wait = wait_from(a, out, count, until);
        if (wait.end < until)
            add_wait(a, wait);
        else
            a->unfinished[task] = until - wait.begin;
    }
}

/* ---- the time ---- */

static void widen(struct sim_answer *a, int64_t from, int64_t until)
{
    a->from = sooner(a->from, from);
    a->until = later(a->until, until);
}

static void find_bounds(struct sim_answer *a)
{
    a->from = NEVER;
    a->until = -NEVER;
    for (size_t i = 0; i < a->wait_count; i++)
        if (is_of_run(a, a->waits[i].who))
            widen(a, a->waits[i].begin, a->waits[i].end);
    for (size_t i = 0; i < a->sim->seen_count; i++) {
        int64_t until;
        if (a->events[i].kind != SIM_SWITCH)
            continue;
        uint32_t had = had_from(a, i, &until);
        if (had == SIM_NOBODY)
            continue;
        a->ran[had] += until - a->events[i].time;
        if (is_of_run(a, had))
            widen(a, a->events[i].time, until);
    }
    if (a->from > a->until)
        a->from = a->until = 0;
}

/* Each pause is told by all processors: the first one's count. */
static int64_t recorded_between(const struct sim_answer *a, int64_t from, int64_t until)
{
    int64_t recorded = until - from, since = NEVER;
    for (size_t i = 0; i <= a->sim->seen_count; i++) {
        const struct sim_event *event = &a->events[i];
        bool end = i == a->sim->seen_count;
        if (!end && (event->kind != SIM_PAUSE || event->processor != 0))
            continue;
        if (!end && event->begins) {
            since = event->time;
        } else if (since != NEVER) {
            recorded -= later(0, sooner(end ? until : event->time, until) - later(since, from));
            since = NEVER;
        }
    }
    return recorded;
}

static int64_t border(const struct sim_answer *a, uint32_t window)
{
    return a->from + (a->until - a->from) * (int64_t)window / (int64_t)SIM_WINDOWS;
}

/* ---- by definition ---- */

static struct sim_pair *pair_of(struct sim_answer *a, uint32_t who, uint32_t whom)
{
    for (size_t i = 0; i < a->pair_count; i++)
        if (a->pairs[i].who == who && a->pairs[i].whom == whom)
            return &a->pairs[i];
    VEC_PUSH(a->pairs, a->pair_count, a->pair_capacity) =
        (struct sim_pair){.who = who, .whom = whom};
    return &a->pairs[a->pair_count - 1];
}

/* Into the sum of a window, or of the whole. */
static void cascade(struct sim_answer *a, struct sim_wait wait, uint32_t window, uint32_t depth)
{
    struct sim_pair *pair = pair_of(a, wait.who, wait.whom);
    *(window == WHOLE ? &pair->cascaded : &pair->cascaded_in[window]) += wait.end - wait.begin;
    if (depth > a->sim->task_count) {
        a->circle = true;
        return;
    }
    for (size_t i = 0; i < a->wait_count; i++) {
        struct sim_wait next = a->waits[i];
        next.begin = later(next.begin, wait.begin);
        next.end = sooner(next.end, wait.end);
        if (next.who == wait.whom && next.begin < next.end)
            cascade(a, next, window, depth + 1);
    }
}

/* Of a window: what of the root lies in it, and the pair's raw time in it. */
static void cascade_windows(struct sim_answer *a, const struct sim_wait *root)
{
    for (uint32_t w = 0; w < SIM_WINDOWS; w++) {
        struct sim_wait part = *root;
        part.begin = later(part.begin, border(a, w));
        part.end = sooner(part.end, border(a, w + 1));
        if (part.begin >= part.end)
            continue;
        pair_of(a, root->who, root->whom)->raw_in[w] += part.end - part.begin;
        cascade(a, part, w, 0);
    }
}

static void count_waits(struct sim_answer *a)
{
    for (size_t i = 0; i < a->wait_count; i++) {
        const struct sim_wait *wait = &a->waits[i];
        struct sim_pair *pair = pair_of(a, wait->who, wait->whom);
        pair->count++;
        pair->longest = later(pair->longest, wait->end - wait->begin);
        if (!is_of_run(a, wait->who))
            continue;
        cascade(a, *wait, WHOLE, 0);
        cascade_windows(a, wait);
    }
}

static int ascending(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return p < q ? -1 : p > q;
}

/* In [from, until] nobody begins to wait or ends. */
static void stand_still(struct sim_answer *a, const struct sim_wait **of, int64_t from,
                        int64_t until)
{
    bool *counts = memory_zeroed(a->vertices);
    for (uint32_t who = 0; who < a->sim->task_count; who++) {
        uint32_t root = who;
        for (; is_of_run(a, who) && of[root]; root = of[root]->whom)
            counts[root] = true;
        if (root != who)
            a->blame[root] += until - from;
    }
    for (uint32_t who = 0; who < a->sim->task_count; who++) {
        if (!counts[who])
            continue;
        struct sim_pair *pair = pair_of(a, who, of[who]->whom);
        pair->raw += until - from;
        pair->leaf += of[of[who]->whom] ? 0 : until - from;
    }
    memory_free(counts);
}

static void stand_from_moment_to_moment(struct sim_answer *a)
{
    int64_t *moments = memory_alloc((2 * a->wait_count + 1) * sizeof *moments);
    const struct sim_wait **of = memory_alloc(a->vertices * sizeof *of);
    for (size_t i = 0; i < a->wait_count; i++) {
        moments[2 * i] = a->waits[i].begin;
        moments[2 * i + 1] = a->waits[i].end;
    }
    qsort(moments, 2 * a->wait_count, sizeof *moments, ascending);
    for (size_t m = 1; m < 2 * a->wait_count; m++) {
        for (uint32_t v = 0; v < a->vertices; v++)
            of[v] = NULL;
        for (size_t i = 0; i < a->wait_count; i++)
            if (a->waits[i].begin <= moments[m - 1] && a->waits[i].end > moments[m - 1])
                of[a->waits[i].who] = &a->waits[i];
        if (moments[m] > moments[m - 1])
            stand_still(a, of, moments[m - 1], moments[m]);
    }
    memory_free(moments);
    memory_free(of);
}

void sim_answer_find(struct sim_answer *a, const struct sim_scheduler *sim)
{
    *a = (struct sim_answer){.sim = sim};
    a->vertices = vertex_of_device(a, sim->options.devices);
    a->blame = memory_zeroed(a->vertices * sizeof *a->blame);
    a->ran = memory_zeroed(a->vertices * sizeof *a->ran);
    a->unfinished = memory_zeroed(a->vertices * sizeof *a->unfinished);
    sort_events(a);
    find_waits(a);
    find_bounds(a);
    a->recorded = recorded_between(a, a->from, a->until);
    for (uint32_t w = 0; w < SIM_WINDOWS; w++)
        a->recorded_in[w] = recorded_between(a, border(a, w), border(a, w + 1));
    count_waits(a);
    if (!a->circle && a->wait_count)
        stand_from_moment_to_moment(a);
}

void sim_answer_release(struct sim_answer *a)
{
    memory_free(a->events);
    memory_free(a->waits);
    memory_free(a->pairs);
    memory_free(a->charges);
    memory_free(a->blame);
    memory_free(a->unfinished);
    memory_free(a->ran);
    *a = (struct sim_answer){0};
}

const struct sim_pair *sim_answer_pair(const struct sim_answer *a, uint32_t who, uint32_t whom)
{
    for (size_t i = 0; i < a->pair_count; i++)
        if (a->pairs[i].who == who && a->pairs[i].whom == whom)
            return &a->pairs[i];
    return NULL;
}
