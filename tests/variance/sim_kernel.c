#include "sim_kernel.h"

#include <stdlib.h>

#include "base/memory.h"

enum { RECORD_SWITCH = 0xa1, RECORD_WAKING = 0xa5, RECORD_REQUEST = 0xa9, RECORD_MISSED = 0xac };
enum { RECORD_FAULT = 0xb0, RECORD_WHO = 0xb2 };
enum { PROCESSORS = BOOK_PROCESSORS, FIRST_TID = 500, HOG_TID = 9001, STRANGERS = 2 };
enum { NO_OFF = -1, MOST_WAKINGS = 2 };
enum { STATE_RUNNABLE, STATE_SLEEPS, STATE_UNINTERRUPTIBLE, STATE_STOPPED, STATE_ENDED };
enum { DEVICE = 253 << 20 };

enum why {
    PREEMPTED,
    NOBODYS,
    BY_THREAD,
    BY_STRANGER,
    BY_TIMER,
    BY_NETWORK,
    BY_READ,
    BY_WRITE,
    BY_FAULT,
    BY_OTHER,
    WHYS
};

static const char *const stranger_name[STRANGERS] = {"hog", "backup"};
static const char *const leaf_of[WHYS] = {
    [NOBODYS] = "(asleep)",          [BY_STRANGER] = "(backup (process))",
    [BY_TIMER] = "(timer)",          [BY_NETWORK] = "network",
    [BY_READ] = "disk vda (read)",   [BY_WRITE] = "disk vda (write)",
    [BY_FAULT] = "page fault (vda)", [BY_OTHER] = "(interrupt)"};

/* A stretch in which a thread did one thing. */
struct doing {
    int thread, from, to;
    bool waits;
};

struct off {
    int thread, out, woken, in, waker;
    int waking; /* when it was recorded: before `out`, where the waker was faster */
    int came;   /* to this processor */
    enum why why;
    bool crosses; /* from one doing into the next: what lies between, it did while it was off */
    bool out_seen, in_seen, waking_seen;
};

/* The processor was had by the thread id from `from` to `to`. */
struct use {
    int processor, from, to;
    uint32_t tid;
    int came, went; /* off, or NO_OFF */
    bool ends;
};

struct event {
    int processor, time, rank;
    unsigned kind;
    uint64_t words[5];
    int count;
    int off_out, off_in, off_waking;
    uint32_t from, to; /* of a switch */
    bool lost;
};

struct kernel {
    struct machine *m;
    uint64_t random;
    struct doing *doings;
    size_t doing_count, doing_capacity;
    struct off *offs;
    size_t off_count, off_capacity;
    struct use *uses;
    size_t use_count, use_capacity;
    struct event *events;
    size_t event_count, event_capacity;
    int missed, missed_processor; /* missed: when at last, or NEVER */
    uint64_t missed_count;
    int since, until; /* of the recording */
};

static int below(struct kernel *k, int limit)
{
    k->random = k->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((k->random >> 33) % (uint64_t)limit);
}

static int between(struct kernel *k, int low, int high)
{
    return low + below(k, high - low + 1);
}

/* ---- what the threads did ---- */

static int doing_order(const void *a, const void *b)
{
    const struct doing *p = a, *q = b;
    if (p->thread != q->thread)
        return p->thread < q->thread ? -1 : 1;
    return p->from < q->from ? -1 : p->from > q->from;
}

static void collect_waits(struct kernel *k, int thread)
{
    const struct book_thread *t = &k->m->book->threads[thread];
    for (int i = 0, from; i < (int)t->count; i++) {
        if (!t->cells[i].block)
            continue;
        for (from = i; i < (int)t->count && t->cells[i].block;)
            i++;
        VEC_PUSH(k->doings, k->doing_count, k->doing_capacity) =
            (struct doing){thread, from, i, true};
    }
}

static void collect(struct kernel *k)
{
    for (size_t i = 0; i < k->m->spent_count; i++) {
        const struct spent *s = &k->m->spent[i];
        if (s->from < s->to && k->m->threads[s->thread].logged)
            VEC_PUSH(k->doings, k->doing_count, k->doing_capacity) =
                (struct doing){s->thread, s->from, s->to, false};
    }
    for (int t = 0; t < THREADS; t++)
        if (k->m->threads[t].logged)
            collect_waits(k, t);
    if (k->doing_count)
        qsort(k->doings, k->doing_count, sizeof *k->doings, doing_order);
}

static const struct doing *follows(const struct kernel *k, size_t i)
{
    const struct doing *d = &k->doings[i], *next = d + 1;
    bool there = i + 1 < k->doing_count && next->thread == d->thread && next->from == d->to;
    return there && next->waits != d->waits ? next : NULL;
}

/* ---- when they were off their processors ---- */

static void add_off(struct kernel *k, int thread, int out, int in, bool crosses)
{
    VEC_PUSH(k->offs, k->off_count, k->off_capacity) = (struct off){.thread = thread,
                                                                    .out = out,
                                                                    .woken = in,
                                                                    .in = in,
                                                                    .waker = NOBODY,
                                                                    .crosses = crosses,
                                                                    .why = NOBODYS};
}

/* Nothing is done in it but what `doings[i]` is, and at its end perhaps what follows. */
static int make_off(struct kernel *k, size_t i, int after)
{
    const struct doing *d = &k->doings[i], *next = follows(k, i);
    int first = d->waits ? d->from : d->from + 1;
    first = first > after ? first : after + 1;
    if (first >= d->to)
        return after;
    int out = between(k, first, d->to - 1), in = between(k, out + 1, d->to);
    if (next && !below(k, 4))
        in = d->to + below(k, next->to - next->from);
    add_off(k, d->thread, out, in, in > d->to);
    return in;
}

static void make_offs(struct kernel *k)
{
    int after = NEVER;
    for (size_t i = 0; i < k->doing_count; i++) {
        const struct doing *d = &k->doings[i];
        if (!i || d->thread != d[-1].thread)
            after = d->from; /* it has run when it first goes */
        for (int times = below(k, 3); times > 0; times--)
            after = make_off(k, i, after);
    }
}

/* The thread spends time just before and just after, and has its processor. */
static bool runs_at(const struct kernel *k, int thread, int time)
{
    bool spends = false;
    for (size_t i = 0; i < k->doing_count; i++) {
        const struct doing *d = &k->doings[i];
        spends |= d->thread == thread && !d->waits && d->from < time && time < d->to;
    }
    for (size_t i = 0; spends && i < k->off_count; i++) {
        const struct off *off = &k->offs[i];
        if (off->thread == thread && off->out <= time && time <= off->in)
            return false;
    }
    return spends;
}

static int some_waker(struct kernel *k, const struct off *off)
{
    int first = below(k, THREADS);
    for (int i = 0; i < THREADS; i++) {
        int t = (first + i) % THREADS;
        if (t != off->thread && runs_at(k, t, off->waking))
            return t;
    }
    return NOBODY;
}

/* The thread ran at `time`, and has not gone since. */
static bool is_before_going(const struct kernel *k, const struct off *off, int time)
{
    bool first = off == k->offs || off[-1].thread != off->thread;
    return runs_at(k, off->thread, time) && (first || off[-1].in < time);
}

static void explain(struct kernel *k, struct off *off)
{
    off->why = (enum why)below(k, WHYS);
    if (!below(k, 2))
        off->why = BY_THREAD;
    if (off->why == BY_THREAD && off->crosses) /* two could wait for each other */
        off->why = BY_TIMER;
    if (off->why == PREEMPTED)
        off->woken = off->out;
    else if (off->why != NOBODYS)
        off->woken = between(k, off->out + 1, off->in);
    off->waking = off->woken;
    int early = off->out - 1 - below(k, 3);
    if (off->why == BY_THREAD && !below(k, 4) && is_before_going(k, off, early)) {
        off->waking = early;
        off->woken = off->out;
    }
    if (off->why == BY_THREAD && (off->waker = some_waker(k, off)) == NOBODY) {
        off->why = NOBODYS;
        off->woken = off->in;
    }
}

/* ---- who had which processor ---- */

static int use_order(const void *a, const void *b)
{
    const struct use *p = a, *q = b;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return p->tid < q->tid ? -1 : p->tid > q->tid;
}

static int by_processor(const void *a, const void *b)
{
    const struct use *p = a, *q = b;
    if (p->processor != q->processor)
        return p->processor < q->processor ? -1 : 1;
    return p->from < q->from ? -1 : p->from > q->from;
}

static void add_use(struct kernel *k, struct use use)
{
    if (use.from < use.to)
        VEC_PUSH(k->uses, k->use_count, k->use_capacity) = use;
}

/* The thread's uses: from where it begins to its first off, and so on. */
static void add_uses(struct kernel *k, int thread)
{
    int from = NEVER, to = NEVER, came = NO_OFF;
    for (size_t i = 0; i < k->doing_count; i++)
        if (k->doings[i].thread == thread) {
            from = from == NEVER ? k->doings[i].from : from;
            to = k->doings[i].to;
        }
    if (from == NEVER)
        return;
    uint32_t tid = FIRST_TID + (uint32_t)thread;
    for (int i = 0; i < (int)k->off_count; i++)
        if (k->offs[i].thread == thread) {
            add_use(k, (struct use){0, from, k->offs[i].out, tid, came, i, false});
            from = k->offs[i].in;
            came = i;
        }
    add_use(k, (struct use){0, from, to > from ? to : from + 1, tid, came, NO_OFF, true});
}

/* Of the free ones, often the one that was left last: there the thread has waited for it. */
static int choose(struct kernel *k, const int *free_since, int from)
{
    int best = NOBODY, start = below(k, PROCESSORS);
    bool latest = below(k, 3) > 0;
    for (int i = 0; i < PROCESSORS; i++) {
        int p = (start + i) % PROCESSORS;
        if (free_since[p] <= from &&
            (best == NOBODY || (latest && free_since[p] > free_since[best])))
            best = p;
    }
    return best;
}

static void place(struct kernel *k)
{
    int free_since[PROCESSORS] = {0};
    size_t count = k->use_count;
    if (count)
        qsort(k->uses, count, sizeof *k->uses, use_order);
    for (size_t i = 0; i < count; i++) {
        struct use *use = &k->uses[i];
        int p = choose(k, free_since, use->from), gap = use->from - free_since[p];
        int from = free_since[p] + (below(k, 2) ? 0 : below(k, gap + 1));
        int to = below(k, 2) ? use->from : between(k, from, use->from);
        uint32_t tid = HOG_TID + (uint32_t)below(k, STRANGERS);
        use->processor = p;
        free_since[p] = use->to;
        if (use->came != NO_OFF)
            k->offs[use->came].came = p;
        if (below(k, 3))
            add_use(k, (struct use){p, from, to, tid, NO_OFF, NO_OFF, false});
    }
    if (k->use_count)
        qsort(k->uses, k->use_count, sizeof *k->uses, by_processor);
}

/* ---- the log ---- */

static struct event *add_event(struct kernel *k, int processor, int time, int rank, unsigned kind)
{
    struct event *event = &VEC_PUSH(k->events, k->event_count, k->event_capacity);
    *event = (struct event){.processor = processor,
                            .time = time,
                            .rank = rank,
                            .kind = kind,
                            .count = 3,
                            .off_out = NO_OFF,
                            .off_in = NO_OFF,
                            .off_waking = NO_OFF};
    return event;
}

static uint64_t state_of(struct kernel *k, const struct use *use)
{
    if (use->went == NO_OFF)
        return use->ends ? STATE_ENDED : (uint64_t)below(k, 3);
    enum why why = k->offs[use->went].why;
    if (why == PREEMPTED)
        return STATE_RUNNABLE;
    return why == BY_FAULT ? STATE_UNINTERRUPTIBLE : (uint64_t)between(k, 1, 2 + (why != BY_READ));
}

/* The processor goes from one use to another; NULL: it is idle. */
static void add_switch(struct kernel *k, int time, const struct use *from, const struct use *to)
{
    struct event *event = add_event(k, (from ? from : to)->processor, time, 2, RECORD_SWITCH);
    event->from = from ? from->tid : 0;
    event->to = to ? to->tid : 0;
    event->words[0] = event->from | (uint64_t)event->to << 32;
    event->words[1] = from ? state_of(k, from) : 0;
    event->off_out = from ? from->went : NO_OFF;
    event->off_in = to ? to->came : NO_OFF;
}

static void add_switches(struct kernel *k)
{
    for (size_t i = 0; i < k->use_count; i++) {
        const struct use *use = &k->uses[i];
        const struct use *before = i && use[-1].processor == use->processor ? use - 1 : NULL;
        const struct use *after =
            i + 1 < k->use_count && use[1].processor == use->processor ? use + 1 : NULL;
        add_switch(k, use->from, before && before->to == use->from ? before : NULL, use);
        if (!after || after->from > use->to)
            add_switch(k, use->to, use, NULL);
    }
}

static const struct use *use_at(const struct kernel *k, int processor, int time)
{
    for (size_t i = 0; i < k->use_count; i++)
        if (k->uses[i].processor == processor && k->uses[i].from <= time && time < k->uses[i].to)
            return &k->uses[i];
    return NULL;
}

static int processor_of(const struct kernel *k, int thread, int time)
{
    for (size_t i = 0; i < k->use_count; i++)
        if (k->uses[i].tid == FIRST_TID + (uint32_t)thread && k->uses[i].from <= time &&
            time < k->uses[i].to)
            return k->uses[i].processor;
    return 0;
}

static void add_waking(struct kernel *k, int index, int time, int processor, uint32_t waker,
                       uint64_t context, uint64_t interrupt)
{
    struct event *event = add_event(k, processor, time, 1, RECORD_WAKING);
    uint64_t tid = FIRST_TID + (uint64_t)k->offs[index].thread;
    event->words[0] = tid | (uint64_t)waker << 32;
    event->words[1] = context | interrupt << 8;
    event->off_waking = index;
}

static bool is_done_at(const struct kernel *k, int processor, int time)
{
    for (size_t i = 0; i < k->event_count; i++)
        if (k->events[i].kind == RECORD_REQUEST && k->events[i].processor == processor &&
            k->events[i].time == time)
            return true;
    return false;
}

static void add_disk(struct kernel *k, int index, int processor)
{
    struct off *off = &k->offs[index];
    while (is_done_at(k, processor, off->woken))
        processor = (processor + 1) % PROCESSORS;
    struct event *done = add_event(k, processor, off->woken, 0, RECORD_REQUEST);
    done->words[0] = DEVICE | UINT64_C(8192) << 32;
    done->words[2] = 1 | (uint64_t)(off->why == BY_WRITE) << 8;
    add_waking(k, index, off->woken, processor, 0, (uint64_t)between(k, 1, 2), 3);
    if (off->why != BY_FAULT)
        return;
    struct event *fault = add_event(k, off->came, off->in, 3, RECORD_FAULT);
    uint64_t pid = (uint64_t)(100 + 10 * k->m->c->part + k->m->threads[off->thread].process);
    fault->words[0] = pid | (uint64_t)(FIRST_TID + off->thread) << 32;
    fault->count = 1;
}

/* The first waking counts; some are woken once more, in vain. */
static void add_wakings(struct kernel *k, int index)
{
    struct off *off = &k->offs[index];
    int processor = below(k, PROCESSORS);
    const struct use *use = use_at(k, processor, off->woken);
    uint32_t current = use ? use->tid : 0;
    switch (off->why) {
    case BY_THREAD:
        add_waking(k, index, off->waking, processor_of(k, off->waker, off->waking),
                   FIRST_TID + (uint32_t)off->waker, 0, 0);
        break;
    case BY_STRANGER:
        add_waking(k, index, off->woken, processor, HOG_TID + 1, 0, 0);
        break;
    case BY_TIMER:
        add_waking(k, index, off->woken, processor, current, (uint64_t)between(k, 1, 2), 1);
        break;
    case BY_NETWORK:
        add_waking(k, index, off->woken, processor, current, (uint64_t)between(k, 1, 2), 2);
        break;
    case BY_OTHER:
        add_waking(k, index, off->woken, processor, current, (uint64_t)between(k, 1, 2), 4);
        break;
    case BY_READ:
    case BY_WRITE:
    case BY_FAULT:
        add_disk(k, index, processor);
        break;
    default:
        break;
    }
    bool again = off->why != PREEMPTED && off->why != NOBODYS && off->waking == off->woken;
    if (again && off->woken < off->in && !below(k, 3))
        add_waking(k, index, between(k, off->woken + 1, off->in), processor, HOG_TID, 0, 0);
}

static int event_order(const void *a, const void *b)
{
    const struct event *p = a, *q = b;
    if (p->processor != q->processor)
        return p->processor < q->processor ? -1 : 1;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    return p->rank < q->rank ? -1 : p->rank > q->rank;
}

/* ---- what of it is seen ---- */

/* The recording begins late or ends early, or the ring of a processor ran over. */
static void lose(struct kernel *k)
{
    int last = 0;
    k->missed = NEVER;
    k->missed_count = 0;
    for (size_t i = 0; i < k->event_count; i++)
        last = k->events[i].time > last ? k->events[i].time : last;
    k->since = below(k, 3) ? 0 : below(k, last / 2 + 1);
    k->until = below(k, 4) ? last : between(k, last / 2, last);
    for (size_t i = 0; i < k->event_count; i++)
        k->events[i].lost = k->events[i].time < k->since || k->events[i].time > k->until;
    if (!k->event_count || below(k, 3))
        return;
    size_t at = (size_t)below(k, (int)k->event_count), lost = 1 + (size_t)below(k, 2);
    k->missed_processor = k->events[at].processor;
    for (; at < k->event_count && k->events[at].processor == k->missed_processor && lost; at++)
        if (k->events[at].kind == RECORD_SWITCH && !k->events[at].lost) {
            k->events[at].lost = true;
            k->missed = k->events[at].time;
            k->missed_count++;
            lost--;
        }
}

static void see(struct kernel *k)
{
    for (size_t i = 0; i < k->event_count; i++) {
        const struct event *event = &k->events[i];
        if (event->lost)
            continue;
        if (event->off_out != NO_OFF)
            k->offs[event->off_out].out_seen = true;
        if (event->off_in != NO_OFF)
            k->offs[event->off_in].in_seen = true;
        if (event->off_waking != NO_OFF)
            k->offs[event->off_waking].waking_seen = true;
    }
}

static uint64_t ns_at(const struct kernel *k, int time)
{
    const struct sim_case *c = k->m->c;
    uint64_t start = 5000000 + (uint64_t)c->part * UINT64_C(3600000000000);
    return (start + (uint64_t)time * (uint64_t)c->scale) / (uint64_t)(c->squeeze ? c->squeeze : 1);
}

static void log_who(const struct kernel *k, struct sim_log *log, uint64_t pid, uint64_t tid,
                    uint64_t what, const char *name)
{
    uint64_t words[5] = {pid | tid << 32, what << 32};
    for (int i = 0; name[i]; i++)
        words[2 + i / 8] |= (uint64_t)(unsigned char)name[i] << 8 * (i % 8);
    sim_log_add(log, RECORD_WHO, ns_at(k, k->since), words, 5);
}

static void log_everybody(const struct kernel *k, struct sim_log *log)
{
    for (int t = 0; t < THREADS; t++)
        if (k->m->threads[t].logged)
            log_who(k, log, (uint64_t)(100 + 10 * k->m->c->part + k->m->threads[t].process),
                    (uint64_t)(FIRST_TID + t), 0, "");
    for (int i = 0; i < STRANGERS; i++)
        log_who(k, log, 9000, (uint64_t)(HOG_TID + i), 0, stranger_name[i]);
    log_who(k, log, 0, DEVICE, 3, "vda");
}

static void write_log(const struct kernel *k, const char *prefix)
{
    struct sim_log logs[PROCESSORS] = {0};
    struct sim_header header = {.pid = 900,
                                .parent = 1,
                                .rate = 1,
                                .monotonic = 1,
                                .recorder = 1,
                                .chunk_bytes = k->m->c->chatty ? 320 : 3072};
    struct str path = {0};
    log_everybody(k, &logs[0]);
    for (size_t i = 0; i < k->event_count; i++) {
        const struct event *event = &k->events[i];
        uint64_t at = ns_at(k, event->time);
        if (!event->lost)
            sim_log_add(&logs[event->processor], event->kind, at, event->words, event->count);
        else if (event->time == k->missed && event->processor == k->missed_processor &&
                 event->kind == RECORD_SWITCH)
            sim_log_add(&logs[event->processor], RECORD_MISSED, at + 1, &k->missed_count, 1);
    }
    str_printf(&path, "%skernel-%d.vtr", prefix, k->m->c->part);
    sim_file_write(path.data, &header, logs, PROCESSORS, NULL);
    str_release(&path);
    for (int p = 0; p < PROCESSORS; p++)
        str_release(&logs[p].records);
}

/* ---- what the book is told ---- */

/* One missing switch cannot be both with which a thread came and went. */
static bool is_known(const struct kernel *k, const struct off *off)
{
    bool gap = k->missed_count > 1 && off->out <= k->missed && k->missed < off->in;
    return off->out_seen && off->in_seen && !gap;
}

static void tell_offs(struct kernel *k)
{
    struct book_kernel *told = k->m->book->kernel;
    for (size_t i = 0; i < k->off_count; i++) {
        const struct off *off = &k->offs[i];
        k->m->book->unseen += !is_known(k, off);
        if (!is_known(k, off))
            continue;
        struct book_off *o = &told->offs[off->thread][told->off_count[off->thread]++];
        bool early = off->waking < off->out;
        bool between =
            early && k->missed != NEVER && off->waking <= k->missed && k->missed < off->out;
        bool woken = (off->waking_seen && !between) || off->why == PREEMPTED;
        k->m->book->early += early && woken;
        *o = (struct book_off){.out = off->out,
                               .woken = woken ? off->woken : off->in,
                               .in = off->in,
                               .processor = off->came,
                               .waker = woken ? off->waker : NOBODY,
                               .leaf = leaf_of[woken ? off->why : NOBODYS],
                               .preempted = off->why == PREEMPTED};
    }
}

static const char *name_of(struct kernel *k, uint32_t tid)
{
    if (!tid)
        return "";
    if (tid < HOG_TID)
        return k->m->book->threads[tid - FIRST_TID].start;
    return arena_printf(&k->m->book->arena, "%s (process)", stranger_name[tid - HOG_TID]);
}

static void tell_use(struct kernel *k, const struct event *event, int until)
{
    struct book_kernel *told = k->m->book->kernel;
    const char *name = name_of(k, event->to);
    for (int t = event->time; t < until && t < told->length; t++)
        told->had[event->processor * told->length + t] = name;
}

/* The use of a processor is known from one of its records to the next, if none is missing there. */
static void tell_processors(struct kernel *k)
{
    const struct event *before = NULL;
    for (size_t i = 0; i <= k->event_count; i++) {
        const struct event *event = i < k->event_count ? &k->events[i] : NULL;
        bool ends = before && (!event || event->processor != before->processor);
        if (event && !ends && (event->lost || event->kind != RECORD_SWITCH))
            continue;
        if (before) {
            int until = ends ? k->m->book->kernel->length : event->time;
            bool gap = before->processor == k->missed_processor && k->missed != NEVER &&
                       before->time <= k->missed && k->missed <= until;
            if (!gap)
                tell_use(k, before, until);
        }
        before = event && !event->lost && event->kind == RECORD_SWITCH ? event : NULL;
    }
}

static void tell(struct kernel *k)
{
    struct book *book = k->m->book;
    struct book_kernel *told = book->kernel = ARENA_NEW(&book->arena, struct book_kernel);
    *told = (struct book_kernel){.length = 1};
    for (size_t i = 0; i < k->event_count; i++)
        if (k->events[i].time >= told->length)
            told->length = k->events[i].time + 1;
    for (int t = 0; t < THREADS; t++)
        told->offs[t] = ARENA_ARRAY(&book->arena, struct book_off, k->off_count + 1);
    told->had = ARENA_ARRAY(&book->arena, const char *, (size_t)(PROCESSORS * told->length));
    for (int i = 0; i < PROCESSORS * told->length; i++)
        told->had[i] = NULL;
    tell_offs(k);
    tell_processors(k);
}

void sim_kernel_run(struct machine *m, const char *prefix)
{
    struct kernel k = {.m = m, .random = (uint64_t)m->c->kernel * 0x9e3779b97f4a7c15u};
    collect(&k);
    make_offs(&k);
    for (size_t i = 0; i < k.off_count; i++)
        explain(&k, &k.offs[i]);
    for (int t = 0; t < THREADS; t++)
        add_uses(&k, t);
    place(&k);
    add_switches(&k);
    for (size_t i = 0; i < k.off_count; i++)
        add_wakings(&k, (int)i);
    if (k.event_count)
        qsort(k.events, k.event_count, sizeof *k.events, event_order);
    lose(&k);
    see(&k);
    tell(&k);
    write_log(&k, prefix);
    memory_free(k.doings);
    memory_free(k.offs);
    memory_free(k.uses);
    memory_free(k.events);
}
