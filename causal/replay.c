#include "causal/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number_sort.h"
#include "causal/causal_interval.h"
#include "causal/moments.h"

/* A window that is worked out again. */
struct replaying {
    const struct timelines *run;
    const struct experiment *window;
    struct moments moments;
    time_ns *waking; /* by thread: how long it takes to be woken */
    /* What one level gives. */
    double share;
    time_ns *shift;    /* by thread: its clock less the recorded one */
    time_ns *promised; /* by promise: when it is given now */
    time_ns *met;      /* by round */
    time_ns *ends;     /* by interval */
    size_t promise_room, round_room, end_room;
    time_ns first_visit, last_visit;
    uint64_t visits;
    bool changed, later;
};

/* ---- how long waking takes ---- */

static bool is_woken(const struct block *block)
{
    return block->waker != THREAD_NONE && !block->in_vain;
}

static time_ns median_waking(const struct timeline_thread *thread, int64_t *room)
{
    size_t count = 0;
    for (uint32_t i = 0; i < thread->block_count; i++)
        if (is_woken(&thread->blocks[i]))
            room[count++] = thread->blocks[i].end - thread->blocks[i].waker_time;
    if (!count)
        return 0;
    number_sort(room, count);
    return room[count / 2];
}

static time_ns *find_waking(const struct timelines *run)
{
    time_ns *waking = memory_zeroed(sizeof *waking * ((size_t)run->thread_count + 1));
    for (uint32_t t = 0; t < run->thread_count; t++) {
        int64_t *room = memory_alloc(sizeof *room * ((size_t)run->threads[t].block_count + 1));
        waking[t] = median_waking(&run->threads[t], room);
        memory_free(room);
    }
    return waking;
}

/* ---- one moment after the other ---- */

static time_ns latest(time_ns a, time_ns b)
{
    return a > b ? a : b;
}

static time_ns earliest(time_ns a, time_ns b)
{
    return a < b ? a : b;
}

static void spend(struct replaying *r, const struct moment *moment)
{
    const struct target_time *spent = &r->run->experiments->spent[moment->number];
    r->shift[moment->thread] -= (time_ns)((double)spent->spent_ns * r->share);
}

/* It has to wait where it did not, and is not later than it was all the same. */
static void wait_for(struct replaying *r, const struct moment *moment, time_ns until)
{
    time_ns *shift = &r->shift[moment->thread];
    if (until > moment->time + *shift)
        *shift = earliest(until + r->waking[moment->thread] - moment->time, 0);
}

static void meet(struct replaying *r, const struct moment *moment)
{
    const uint32_t *round = &r->moments.rounds[moment->number];
    time_ns last = moment->time + r->shift[moment->thread];
    for (uint32_t w = round[0]; w < round[1]; w++) {
        const struct moment_wait *wait = &r->moments.waits[w];
        last = latest(last, wait->block->start + r->shift[wait->thread]);
    }
    r->met[moment->number] = last;
    wait_for(r, moment, last);
}

static void wake(struct replaying *r, const struct moment *moment)
{
    const struct moment_wait *wait = &r->moments.waits[moment->number];
    const struct block *block = wait->block;
    time_ns *shift = &r->shift[moment->thread];
    if (wait->promise == PROMISE_NONE && wait->round == PROMISE_NONE)
        return;
    time_ns begin = block->start + *shift;
    time_ns released =
        wait->round == PROMISE_NONE ? r->promised[wait->promise] : r->met[wait->round];
    time_ns end = released < begin ? begin : released + block->end - block->waker_time;
    *shift = end - block->end;
}

static void visit(struct replaying *r, const struct moment *moment)
{
    time_ns time = moment->time + r->shift[moment->thread];
    if (moment->time < r->window->stages[TRACE_EXPERIMENT_COUNTS].time ||
        moment->time >= r->window->stages[TRACE_EXPERIMENT_DRAINS].time)
        return;
    r->first_visit = earliest(r->first_visit, time);
    r->last_visit = latest(r->last_visit, time);
    r->visits++;
}

static void take(struct replaying *r, const struct moment *moment)
{
    time_ns *shift = &r->shift[moment->thread];
    switch (moment->kind) {
    case MOMENT_SPENT:
        spend(r, moment);
        break;
    case MOMENT_PROMISE:
        r->promised[moment->number] = moment->time + *shift;
        break;
    case MOMENT_MEET:
        meet(r, moment);
        break;
    case MOMENT_WOKEN:
        wake(r, moment);
        break;
    case MOMENT_BORN:
        *shift = r->promised[moment->number] - r->moments.promises[moment->number];
        break;
    case MOMENT_TAKE:
        wait_for(r, moment, r->promised[moment->number]);
        break;
    case MOMENT_END:
        r->ends[moment->number] = moment->time + *shift;
        break;
    case MOMENT_VISIT:
        visit(r, moment);
        break;
    }
    r->changed |= *shift != 0;
    r->later |= *shift > 0;
}

#define MAKE_ROOM(array, room, count)                                                              \
    do {                                                                                           \
        if ((room) < (count) + 1) {                                                                \
            (room) = (count) + 1;                                                                  \
            (array) = memory_resize((array), sizeof *(array) * (room));                            \
        }                                                                                          \
    } while (0)

/* Who met before the window, and is woken in it, met when they did. */
static void begin_rounds(struct replaying *r)
{
    for (size_t i = 0; i < r->moments.round_count; i++)
        r->met[i] = r->moments.waits[r->moments.rounds[i]].block->waker_time;
}

static void work_out(struct replaying *r, double share)
{
    const struct moments *moments = &r->moments;
    r->share = share;
    r->changed = false;
    r->visits = 0;
    r->first_visit = INT64_MAX;
    r->last_visit = INT64_MIN;
    MAKE_ROOM(r->promised, r->promise_room, moments->promise_count);
    MAKE_ROOM(r->met, r->round_room, moments->round_count);
    MAKE_ROOM(r->ends, r->end_room, (size_t)(moments->until - moments->first));
    if (moments->promise_count)
        memcpy(r->promised, moments->promises, sizeof *r->promised * moments->promise_count);
    begin_rounds(r);
    memset(r->shift, 0, sizeof *r->shift * r->run->thread_count);
    for (size_t i = 0; i < moments->count; i++)
        take(r, &moments->items[i]);
}

/* ---- what came of it ---- */

static void take_latencies(const struct replaying *r, const struct replay_part *part,
                           struct causal_level *level)
{
    const struct experiment_sums *stages = r->window->stages;
    for (uint32_t i = r->moments.first; i < r->moments.until; i++) {
        const struct interval *interval = &r->run->intervals[i];
        if (!causal_interval_is_of(interval, part->type) ||
            interval->begin < stages[TRACE_EXPERIMENT_COUNTS].time ||
            interval->begin >= stages[TRACE_EXPERIMENT_DRAINS].time ||
            interval->end > stages[TRACE_EXPERIMENT_ENDS].time)
            continue;
        time_ns latency = r->ends[i - r->moments.first] - r->promised[i - r->moments.first];
        VEC_PUSH(level->latencies, level->count, level->capacity) = latest(latency, 0);
    }
}

static void add_rate(struct causal_level *level, uint32_t block, uint64_t count, time_ns first,
                     time_ns last)
{
    if (count < 2)
        return;
    level->work_ns[block] += (double)(last - first);
    level->work[block] += count - 1;
}

static void take_ends(const struct replaying *r, const struct replay_part *part,
                      struct causal_level *level, uint32_t block)
{
    uint64_t count = 0;
    time_ns first = INT64_MAX, last = INT64_MIN;
    for (uint32_t i = r->moments.first; i < r->moments.until; i++) {
        const struct interval *interval = &r->run->intervals[i];
        if (!causal_interval_is_of(interval, part->type) ||
            interval->end < r->window->stages[TRACE_EXPERIMENT_COUNTS].time ||
            interval->end >= r->window->stages[TRACE_EXPERIMENT_DRAINS].time)
            continue;
        first = earliest(first, r->ends[i - r->moments.first]);
        last = latest(last, r->ends[i - r->moments.first]);
        count++;
    }
    add_rate(level, block, count, first, last);
}

static void take_level(const struct replaying *r, struct replay_part *part, uint32_t index,
                       uint32_t block)
{
    struct causal_level *level = &part->samples.levels[index];
    level->experiments++;
    take_latencies(r, part, level);
    if (part->samples.by_visits)
        add_rate(level, block, r->visits, r->first_visit, r->last_visit);
    else
        take_ends(r, part, level, block);
}

/* What was recorded comes out again. */
static bool is_as_it_was(const struct replaying *r)
{
    bool same = !r->changed;
    for (uint32_t i = r->moments.first; i < r->moments.until; i++) {
        const struct interval *one = &r->run->intervals[i];
        bool ended = one->complete && one->end >= r->window->stages[0].time &&
                     one->end <= r->window->stages[TRACE_EXPERIMENT_ENDS].time;
        same = same && (!ended || r->ends[i - r->moments.first] == one->end);
    }
    return same;
}

/* ---- one window after the other ---- */

static void begin_parts(struct replay_part *parts, uint32_t count)
{
    for (uint32_t p = 0; p < count; p++) {
        const struct causal_samples *of = parts[p].of;
        parts[p].samples = (struct causal_samples){
            .level_count = of->level_count, .blocks = of->blocks, .by_visits = of->by_visits};
        parts[p].samples.levels =
            memory_zeroed(sizeof *parts[p].samples.levels * (of->level_count + 1));
        for (uint32_t l = 0; l < of->level_count; l++)
            parts[p].samples.levels[l].share = parts[p].samples.levels[l].dose =
                of->levels[l].share;
    }
}

static void begin_block(struct replay_part *parts, uint32_t count, uint32_t block)
{
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t l = 0; l < parts[p].samples.level_count; l++)
            parts[p].samples.levels[l].first[block] = parts[p].samples.levels[l].count;
}

static void replay_window(struct replaying *r, struct causal_replay *replay,
                          struct replay_part *parts, uint32_t part_count, uint32_t block)
{
    for (uint32_t l = 0; l < parts[0].samples.level_count; l++) {
        work_out(r, parts[0].samples.levels[l].share);
        for (uint32_t p = 0; p < part_count; p++)
            take_level(r, &parts[p], l, block);
        replay->changed |= parts[0].samples.levels[l].share == 0 && !is_as_it_was(r);
        replay->later |= r->later;
    }
}

static bool is_window(const struct experiment *one, uint32_t target,
                      const struct causal_samples *of, uint32_t block)
{
    return one->target == target && one->block && one->whole && one->share == 0 &&
           of->block_of[one->block] == block + 1;
}

static void release(struct replaying *r)
{
    moments_release(&r->moments);
    memory_free(r->waking);
    memory_free(r->shift);
    memory_free(r->promised);
    memory_free(r->met);
    memory_free(r->ends);
}

void causal_replay_fill(struct causal_replay *replay, struct replay_part *parts,
                        uint32_t part_count, const struct timelines *run, uint32_t target)
{
    const struct causal_samples *of = parts[0].of;
    struct replaying r = {.run = run, .waking = find_waking(run)};
    time_ns longest = causal_interval_longest(run);
    double noted = 0, all = 0, unknown = 0, long_ns = 0;
    *replay = (struct causal_replay){0};
    r.shift = memory_alloc(sizeof *r.shift * ((size_t)run->thread_count + 1));
    begin_parts(parts, part_count);
    for (uint32_t b = 0; b < of->blocks; b++) {
        begin_block(parts, part_count, b);
        for (uint32_t i = 0; i < run->experiments->count; i++) {
            r.window = &run->experiments->items[i];
            if (!is_window(r.window, target, of, b))
                continue;
            const struct experiment_sums *stages = r.window->stages;
            moments_gather(&r.moments, run, stages[0].time, stages[3].time, longest);
            noted += (double)r.moments.spent_ns;
            unknown += (double)r.moments.unknown_ns;
            all += (double)(stages[3].target_ns - stages[0].target_ns);
            long_ns += (double)(stages[3].time - stages[0].time);
            replay_window(&r, replay, parts, part_count, b);
        }
    }
    begin_block(parts, part_count, of->blocks);
    replay->noted = all > 0 ? noted / all : 0;
    replay->unknown = long_ns > 0 ? unknown / long_ns : 0;
    release(&r);
}

bool causal_replay_is_known(const struct causal_replay *replay)
{
    return replay->noted >= REPLAY_LEAST_NOTED && replay->unknown <= REPLAY_MOST_UNKNOWN;
}
