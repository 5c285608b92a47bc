#include "stacks/proof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stacks/thread_time.h"
#include "stats/exact_moments.h"
#include "stats/quantile.h"
#include "trace/thread_index.h"

/* What is known of one function before its calls are looked at. */
struct watched_function {
    struct request_hit *hits;
    size_t count, capacity;
    bool again, returns; /* it may come to its entry again; its returns were watched */
    const char *label;   /* NULL: the wish is none of a function */
    time_ns called_until, returned_until;
};

struct proving {
    const struct timelines *run;
    const struct proof_claims *claims;
    struct proof *proof;
    struct watched_function *functions; /* by wish - 1 */
    uint32_t count;
    uint32_t *task_of; /* thread -> kernel task, or TASK_NONE */
};

/* ---- the recording ---- */

static void widen(struct proof *proof, time_ns from, time_ns until)
{
    proof->from = proof->from < from ? proof->from : from;
    proof->until = proof->until > until ? proof->until : until;
}

/* From when the first of the run's threads was seen to when the last one was. */
static void find_times_of_threads(struct proof *proof, const struct kernel_side *side)
{
    struct thread_time *times = thread_times_find(side);
    time_ns sums[CONTEXT_TIMES] = {0};
    bool first = true;
    for (uint32_t t = 1; t < side->task_count; t++) {
        if (!kernel_task_is_of_run(side, t) || !thread_time_wall(&times[t]))
            continue;
        if (first)
            proof->from = times[t].from, proof->until = times[t].until;
        widen(proof, times[t].from, times[t].until);
        sums[TIME_RAN] += times[t].ran + times[t].missing; /* lengths are known all the same */
        sums[TIME_OFF] += times[t].off;
        sums[TIME_QUEUE] += times[t].queue;
        first = false;
    }
    memory_free(times);
    if (!first)
        proof->given = proof_time(1, sums);
}

static void find_recording(struct proof *proof, const struct timelines *run)
{
    const struct point_hits *hits = run->point_hits;
    proof->from = hits->times[0].from;
    proof->until = hits->times[0].until;
    proof->given = 1;
    proof->switches = kernel_side_has_switches(run->kernel_side);
    if (proof->switches)
        find_times_of_threads(proof, run->kernel_side);
    if (hits->count)
        widen(proof, hits->items[0].time, hits->items[hits->count - 1].time);
    for (size_t i = 0; i < hits->loss_count; i++)
        proof->lost += hits->losses[i].hits;
}

static void find_tasks(struct proving *p)
{
    const struct kernel_side *side = p->run->kernel_side;
    p->task_of = memory_alloc((p->run->thread_count + 1) * sizeof *p->task_of);
    for (uint32_t t = 0; t < p->run->thread_count; t++)
        p->task_of[t] = TASK_NONE;
    for (uint32_t i = 1; p->proof->switches && i < side->task_count; i++)
        if (side->tasks[i].thread != THREAD_NONE)
            p->task_of[side->tasks[i].thread] = i;
}

/* ---- hits ---- */

static void name_functions(struct proving *p)
{
    const struct point_hits *hits = p->run->point_hits;
    for (uint32_t i = 0; i < hits->point_count; i++) {
        const struct point *point = &hits->points[i];
        struct watched_function *function = &p->functions[point->wish - 1];
        time_ns until = point->closed < p->proof->until ? point->closed : p->proof->until;
        if (point->role == TRACE_POINT_CALLED) {
            function->label = point->name;
            function->again = point->by_value;
            function->called_until = until;
        } else if (point->role == TRACE_POINT_RETURNED) {
            function->returns = true;
            function->returned_until = until;
        }
    }
}

static void sort_hits(struct proving *p)
{
    const struct point_hits *hits = p->run->point_hits;
    struct thread_index index;
    thread_index_init(&index, p->run);
    for (size_t i = 0; i < hits->count; i++) {
        const struct point_hit *hit = &hits->items[i];
        const struct point *point = &hits->points[hit->point];
        struct watched_function *function = &p->functions[point->wish - 1];
        uint32_t thread = function->label ? thread_index_find(&index, hit->pid, hit->tid, hit->time)
                                          : THREAD_NONE;
        if (thread == THREAD_NONE)
            continue;
        VEC_PUSH(function->hits, function->count, function->capacity) =
            (struct request_hit){.time = hit->time,
                                 .thread = thread,
                                 .process = p->run->threads[thread].process,
                                 .role = point->role,
                                 .second = hit->second};
    }
    thread_index_release(&index);
}

/* ---- lengths ---- */

static int by_length(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return p < q ? -1 : p > q;
}

static void find_lengths(struct proven_function *proven, const struct measured_calls *calls)
{
    int64_t *lengths = memory_alloc((calls->count + 1) * sizeof *lengths);
    struct exact_moments moments = {0};
    size_t count = 0;
    for (size_t i = 0; i < calls->count; i++) {
        const struct measured_call *call = &calls->items[i];
        proven->fates[call->fate]++;
        if (call->fate != CALL_RETURNED)
            continue;
        lengths[count++] = call->end - call->begin;
        exact_moments_add(&moments, call->end - call->begin);
    }
    if (count)
        qsort(lengths, count, sizeof *lengths, by_length);
    proven->mean = exact_moments_mean(&moments);
    proven->sd = sqrt(exact_moments_variance(&moments));
    proven->p50 = quantile_sorted(lengths, count, 0.5);
    proven->p95 = quantile_sorted(lengths, count, 0.95);
    proven->p99 = quantile_sorted(lengths, count, 0.99);
    proven->least = count ? lengths[0] : 0;
    proven->most = count ? lengths[count - 1] : 0;
    memory_free(lengths);
}

/* ---- what threads did in them ---- */

static time_ns common(time_ns from, time_ns until, time_ns a, time_ns b)
{
    from = from > a ? from : a;
    until = until < b ? until : b;
    return until > from ? until - from : 0;
}

static void split(struct proven_function *proven, const struct kernel_task *task, time_ns from,
                  time_ns until)
{
    time_ns ran = until - from;
    for (uint32_t i = kernel_task_off_behind(task, from); i <= task->off_count; i++) {
        const struct off_cpu *off = i < task->off_count ? &task->offs[i] : &task->open;
        if (off->out >= until)
            break;
        time_ns blocked = common(from, until, off->out, off->woken);
        time_ns wanted = common(from, until, off->woken, off->in);
        proven->off += blocked;
        proven->queue += wanted;
        ran -= blocked + wanted;
    }
    proven->ran += ran;
}

static bool has_time(const struct measured_call *call)
{
    return call->depth == 0 && call->fate != CALL_LEFT && call->end > call->begin;
}

static void find_times(const struct proving *p, struct proven_function *proven,
                       const struct measured_calls *calls)
{
    bool *called = memory_zeroed(p->run->thread_count + 1);
    for (size_t i = 0; i < calls->count; i++) {
        const struct measured_call *call = &calls->items[i];
        uint32_t task = p->task_of[call->thread];
        proven->threads += !called[call->thread];
        called[call->thread] = true;
        if (!has_time(call))
            continue;
        if (task == TASK_NONE)
            proven->ran += call->end - call->begin;
        else
            split(proven, &p->run->kernel_side->tasks[task], call->begin, call->end);
    }
    memory_free(called);
}

/* ---- what stacks say ---- */

/* "serve@server" is the function serve of the file server. */
static bool is_labelled(const struct context_frame *frame, const char *label)
{
    const char *at = strrchr(label, '@');
    size_t length = at ? (size_t)(at - label) : strlen(label);
    return strlen(frame->function) == length && strncmp(frame->function, label, length) == 0 &&
           (!at || strcmp(at + 1, frame->object) == 0);
}

static const struct function_time *function_of(const struct proof_claims *claims, const char *label)
{
    for (size_t i = 0; i < claims->functions->count; i++)
        if (is_labelled(&claims->tree->frames[claims->functions->items[i].frame], label))
            return &claims->functions->items[i];
    return NULL;
}

double proof_time(time_ns wall, const time_ns times[CONTEXT_TIMES])
{
    double had = (double)(times[TIME_RAN] + times[TIME_OFF]);
    double all = had + (double)(times[TIME_QUEUE] + times[TIME_MISSING]);
    return all > 0 ? (double)wall * had / all : 0;
}

static void compare(struct proven_function *proven, const struct proof *proof,
                    const struct proof_claims *claims)
{
    const struct function_time *function = function_of(claims, proven->label);
    double time = (double)proven->measured * proof->given;
    proven->frame = function ? function->frame : CONTEXT_NONE;
    proven->seconds = time > 0 ? (double)(proven->ran + proven->off) / time : 0;
    if (!function || !(claims->time > 0))
        return;
    proven->estimate =
        (double)(function->total[TIME_RAN] + function->total[TIME_OFF]) / claims->time;
    proven->estimate_sd =
        sqrt(function->variance[TIME_RAN] + function->variance[TIME_OFF]) / claims->time;
    if (!(time > 0))
        return;
    double more = proven->seconds > proven->estimate ? proven->seconds : proven->estimate;
    double each = proven->calls ? (double)proven->calls / (double)proven->counted : 0;
    double within = 3 * proven->estimate_sd + PROOF_TOLERANCE * more + PROOF_PROBE_NS * each;
    proven->verdict =
        fabs(proven->seconds - proven->estimate) <= within ? PROOF_AGREES : PROOF_DIFFERS;
}

/* ---- requests ---- */

struct request_part {
    time_ns time;
    uint64_t calls;
};

static void add_parts(struct request_part *parts, const struct timeline_thread *thread,
                      const struct measured_call *call, uint32_t *known)
{
    int64_t first = timeline_label_near(thread, call->begin, known);
    for (int64_t i = first < 0 ? 0 : first; i < thread->label_count; i++) {
        const struct label *label = &thread->labels[i];
        time_ns to = i + 1 < thread->label_count ? label[1].time : INT64_MAX;
        if (label->time >= call->end)
            return;
        if (label->interval == INTERVAL_NONE)
            continue;
        parts[label->interval].calls += i == first;
        parts[label->interval].time +=
            call->depth ? 0 : common(call->begin, call->end, label->time, to);
    }
}

/* Those that ended while calls were measured. */
static void sum_requests(struct proven_function *proven, const struct timelines *run,
                         const struct request_part *parts, time_ns until)
{
    uint64_t n = 0, calls = 0;
    __int128 time = 0, latency = 0, product = 0, square = 0;
    for (uint32_t i = 0; i < run->interval_count; i++) {
        const struct interval *interval = &run->intervals[i];
        time_ns length = interval->end - interval->begin;
        if (!interval->complete || interval->end > until)
            continue;
        n++;
        calls += parts[i].calls;
        time += parts[i].time;
        latency += length;
        product += (__int128)parts[i].time * length;
        square += (__int128)length * length;
    }
    double spread = exact_spread(n, latency, latency, square);
    proven->requests = (struct proof_requests){
        .count = n,
        .calls = n ? (double)calls / (double)n : 0,
        .time = exact_mean(n, time),
        .share = spread > 0 ? exact_spread(n, time, latency, product) / spread : 0};
}

static void find_requests(const struct proving *p, struct proven_function *proven,
                          const struct measured_calls *calls, time_ns until)
{
    const struct timelines *run = p->run;
    if (!run->interval_count)
        return;
    struct request_part *parts = memory_zeroed(run->interval_count * sizeof *parts);
    uint32_t *known = memory_zeroed((run->thread_count + 1) * sizeof *known);
    for (size_t i = 0; i < calls->count; i++) {
        const struct measured_call *call = &calls->items[i];
        if (run->threads[call->thread].label_count)
            add_parts(parts, &run->threads[call->thread], call, &known[call->thread]);
    }
    sum_requests(proven, run, parts, until);
    memory_free(parts);
    memory_free(known);
}

/* ---- one function ---- */

static enum proof_mode mode_of(const struct watched_function *function, time_ns until)
{
    return function->called_until < until     ? PROOF_STOPPED
           : !function->returns               ? PROOF_COUNTED
           : function->returned_until < until ? PROOF_BEGIN
                                              : PROOF_WHOLE;
}

/* Where a call may come to its entry again, those that were measured are less than the hits. */
static uint64_t count_calls(const struct watched_function *function,
                            const struct measured_calls *calls, size_t measured)
{
    bool fewer = function->again && measured;
    uint64_t count = fewer ? calls->count - measured_calls_count(calls, CALL_BEGUN) : 0;
    for (size_t i = fewer ? measured : 0; i < function->count; i++)
        count += function->hits[i].role == TRACE_POINT_CALLED;
    return count;
}

/* Of hits behind the moment at which returns were given up nothing is known but that they were. */
static size_t measured_hits(const struct watched_function *function, time_ns until)
{
    size_t count = 0;
    while (function->returns && count < function->count && function->hits[count].time <= until)
        count++;
    return count;
}

static void prove(const struct proving *p, const struct watched_function *function,
                  struct proven_function *proven)
{
    const struct point_hits *hits = p->run->point_hits;
    struct measured_calls calls = {0};
    time_ns until = function->returned_until;
    const struct request_hits watched = {.items = function->hits,
                                         .count = measured_hits(function, until),
                                         .by_value = function->again,
                                         .from = p->proof->from,
                                         .until = until};
    measured_calls_find(&calls, &watched);
    measured_calls_doubt(&calls, hits->losses, hits->loss_count);
    *proven = (struct proven_function){.label = function->label,
                                       .mode = mode_of(function, p->proof->until),
                                       .calls = count_calls(function, &calls, watched.count),
                                       .counted = function->called_until - p->proof->from,
                                       .measured = function->returns ? until - p->proof->from : 0,
                                       .deepest = calls.deepest};
    find_lengths(proven, &calls);
    find_times(p, proven, &calls);
    compare(proven, p->proof, p->claims);
    find_requests(p, proven, &calls, until);
    measured_calls_release(&calls);
}

bool proof_find(struct proof *proof, const struct timelines *run, const struct proof_claims *claims)
{
    *proof = (struct proof){.refused = ""};
    const struct point_hits *hits = run->point_hits;
    if (!hits || !hits->time_count || !hits->wish_count)
        return false;
    struct proving p = {.run = run, .claims = claims, .proof = proof, .count = hits->wish_count};
    find_recording(proof, run);
    find_tasks(&p);
    p.functions = memory_zeroed((p.count + 1) * sizeof *p.functions);
    name_functions(&p);
    sort_hits(&p);
    proof->items = memory_zeroed((p.count + 1) * sizeof *proof->items);
    for (uint32_t i = 0; i < p.count; i++)
        if (p.functions[i].label)
            prove(&p, &p.functions[i], &proof->items[proof->count++]);
    for (uint32_t i = 0; i < p.count; i++)
        memory_free(p.functions[i].hits);
    memory_free(p.functions);
    memory_free(p.task_of);
    return proof->count > 0;
}

void proof_release(struct proof *proof)
{
    memory_free(proof->items);
    *proof = (struct proof){0};
}
