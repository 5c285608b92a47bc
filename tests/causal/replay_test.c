/* Made runs whose answers other means work out: arithmetic, recursions of queues, closed forms. A replay must give them to
 * the ns, and the recorded run where nothing is faster. */
#include "causal/causal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/causal/expect.h"

/* A time that a quarter, a half and three quarters of are whole ns. */
static time_ns fours(double ns)
{
    return 4 * (time_ns)(ns / 4);
}

static time_ns latest(time_ns a, time_ns b)
{
    return a > b ? a : b;
}

/* ---- a run that is made ---- */

enum { THREADS = 3, MOST = 30000, BLOCKS = 12, LEVELS = 5 };
static const double shares[LEVELS] = {0, 0.25, 0.5, 0.75, 1};

struct made {
    struct timelines run;
    struct experiments experiments;
    struct experiment_target target;
    struct timeline_thread threads[THREADS];
    struct experiment items[BLOCKS];
    struct causal_level levels[LEVELS]; /* of the experiments: only their shares are asked for */
    struct causal_samples of;
    uint32_t block_of[BLOCKS + 1];
    struct causal_replay replay;
    struct causal_samples got;
    const char *type;
};

static void begin(struct made *made)
{
    *made = (struct made){.target = {"function", "f"}};
    made->run.threads = made->threads;
    made->run.thread_count = THREADS;
    made->run.experiments = &made->experiments;
    made->run.intervals = memory_zeroed(sizeof *made->run.intervals * MOST);
    made->experiments = (struct experiments){.targets = &made->target, .target_count = 1};
    made->experiments.items = made->items;
    made->experiments.visits = memory_zeroed(sizeof *made->experiments.visits * MOST);
    made->experiments.spent = memory_zeroed(sizeof *made->experiments.spent * MOST);
    for (int t = 0; t < THREADS; t++) {
        made->threads[t].first = INT64_MIN;
        made->threads[t].blocks = memory_zeroed(sizeof(struct block) * MOST);
        made->threads[t].labels = memory_zeroed(sizeof(struct label) * MOST);
        made->threads[t].pickups = memory_zeroed(sizeof(struct pickup) * MOST);
    }
    for (int l = 0; l < LEVELS; l++)
        made->levels[l].share = shares[l];
    made->of = (struct causal_samples){
        .levels = made->levels, .level_count = LEVELS, .block_of = made->block_of};
}

static void release(struct made *made)
{
    memory_free(made->run.intervals);
    memory_free(made->experiments.visits);
    memory_free(made->experiments.spent);
    for (int t = 0; t < THREADS; t++) {
        memory_free(made->threads[t].blocks);
        memory_free(made->threads[t].labels);
        memory_free(made->threads[t].pickups);
    }
    causal_samples_release(&made->got);
}

static void spend(struct made *made, uint32_t thread, time_ns until, time_ns ns)
{
    made->experiments.spent[made->experiments.spent_count++] =
        (struct target_time){until, ns, thread, false};
}

static uint32_t interval(struct made *made, uint32_t thread, time_ns from)
{
    made->run.intervals[made->run.interval_count] =
        (struct interval){.begin = from, .begin_thread = thread, .type = ""};
    return made->run.interval_count++;
}

static void end(struct made *made, uint32_t index, uint32_t thread, time_ns time)
{
    made->run.intervals[index].end = time;
    made->run.intervals[index].end_thread = thread;
    made->run.intervals[index].complete = true;
}

static void visit(struct made *made, uint32_t thread, time_ns time)
{
    made->experiments.visits[made->experiments.visit_count++] =
        (struct visit){.time = time, .thread = thread};
}

static void label(struct made *made, uint32_t thread, time_ns time, uint32_t index)
{
    struct timeline_thread *one = &made->threads[thread];
    one->labels[one->label_count++] = (struct label){time, index};
}

static struct block *wait_for(struct made *made, uint32_t thread, time_ns from, time_ns until,
                              uint32_t waker, time_ns released)
{
    struct timeline_thread *one = &made->threads[thread];
    struct block *block = &one->blocks[one->block_count++];
    *block = (struct block){.start = from,
                            .end = until,
                            .operation = TRACE_OP_MUTEX,
                            .waker = waker,
                            .waker_time = released};
    return block;
}

/* A window follows the one before; all that is in it counts. */
static void window(struct made *made, time_ns from, time_ns until)
{
    struct experiment *one = &made->items[made->experiments.count++];
    uint64_t target = made->experiments.count > 1 ? one[-1].stages[3].target_ns : 0;
    *one = (struct experiment){.block = made->experiments.count, .whole = true};
    made->block_of[one->block] = made->of.blocks = one->block;
    for (int s = 0; s < 4; s++)
        one->stages[s] =
            (struct experiment_sums){.time = s < 2 ? from : until, .target_ns = target};
    for (uint32_t i = 0; i < made->experiments.spent_count; i++)
        if (made->experiments.spent[i].time >= from && made->experiments.spent[i].time <= until)
            one->stages[3].target_ns += (uint64_t)made->experiments.spent[i].spent_ns;
}

static void replay(struct made *made)
{
    made->of.by_visits = made->experiments.visit_count > 0;
    struct replay_part part = {.type = made->type, .of = &made->of};
    causal_replay_fill(&made->replay, &part, 1, &made->run, 0);
    made->got = part.samples;
    expect(!made->replay.changed, "where nothing is faster all is as it was");
    expect(!made->replay.later, "nothing is ever later");
}

/* From the first unit of work to the last, by the number of those behind the first. */
static double period(const struct made *made, int level)
{
    double time = 0, work = 0;
    for (uint32_t b = 0; b < made->of.blocks; b++) {
        time += made->got.levels[level].work_ns[b];
        work += (double)made->got.levels[level].work[b];
    }
    return time / work;
}

static int near(double a, double b, double within)
{
    return fabs(a - b) <= within * fabs(b);
}

/* ---- one thread ---- */

/* Each request is some of the target and some other work: what is left is arithmetic. */
static void look_at_chain(void)
{
    struct made made;
    unsigned state = 1;
    time_ns now = 1000, took[400], spent[400];
    begin(&made);
    for (int i = 0; i < 400; i++) {
        spent[i] = fours(3e6 * uniform(&state));
        took[i] = spent[i] + fours(7e6 * uniform(&state));
        uint32_t one = interval(&made, 0, now);
        spend(&made, 0, now + spent[i] / 2, spent[i] / 2 / 4 * 4);
        spend(&made, 0, now + spent[i], spent[i] - spent[i] / 2 / 4 * 4);
        end(&made, one, 0, now += took[i]);
        now += 500;
    }
    window(&made, 0, now);
    replay(&made);
    expect(made.replay.noted == 1 && causal_replay_is_known(&made.replay), "all has records");
    for (int l = 0; l < LEVELS; l++) {
        const struct causal_level *level = &made.got.levels[l];
        time_ns all = 0;
        expect(level->count == 400 && level->share == shares[l], "all requests count");
        for (int i = 0; i < 400 && i < (int)level->count; i++) {
            time_ns left = took[i] - (time_ns)(shares[l] * (double)spent[i]);
            expect(level->latencies[i] == left, "a request takes what is left of it");
            all += i ? left + 500 : 0;
        }
        expect(near(period(&made, l), (double)all / 399, 1e-12), "and so does the whole");
    }
    release(&made);
}

/* ---- threads that meet ---- */

/* Two meet at a barrier after `a` and `b` ns, of which parts are the target's: a round takes as long as the longer. */
static void barrier_rounds(struct made *made, int rounds, time_ns a, time_ns b, bool of_a,
                           bool of_b)
{
    time_ns now = 1000;
    begin(made);
    for (int i = 0; i < rounds; i++) {
        uint32_t last = a >= b ? 0 : 1;
        time_ns first = now + (a >= b ? b : a), met = now + (a >= b ? a : b);
        if (of_a)
            spend(made, 0, now + a, a);
        if (of_b)
            spend(made, 1, now + b, b);
        wait_for(made, !last, first, met, last, met)->operation = TRACE_OP_BARRIER;
        visit(made, 0, met + 1);
        now = met + 8;
    }
    window(made, 0, now);
    replay(made);
}

static void look_at_barrier(void)
{
    struct made made;
    barrier_rounds(&made, 100, 10000, 9000, true, false);
    for (int l = 0; l < LEVELS; l++)
        expect(period(&made, l) == fmax(10000 * (1 - shares[l]), 9000) + 8,
               "the longer one's gain ends where the other takes longer");
    release(&made);
    barrier_rounds(&made, 100, 10000, 9000, false, true);
    for (int l = 0; l < LEVELS; l++)
        expect(period(&made, l) == 10008, "the shorter one gains nothing");
    release(&made);
    barrier_rounds(&made, 100, 10000, 9000, true, true);
    for (int l = 0; l < LEVELS; l++)
        expect(period(&made, l) == 10000 * (1 - shares[l]) + 8, "both gain all");
    release(&made);
}

/* They met before the window, and one of them is woken in it. */
static void look_at_early_meeting(void)
{
    struct made made;
    begin(&made);
    uint32_t one = interval(&made, 1, 50);
    wait_for(&made, 1, 60, 110, 0, 90)->operation = TRACE_OP_BARRIER;
    spend(&made, 1, 300, 100);
    end(&made, one, 1, 400);
    window(&made, 100, 500);
    made.run.intervals[one].begin = 105;
    replay(&made);
    expect(made.got.levels[2].latencies[0] == 245, "what was before is as it was");
    release(&made);
}

/* Amdahl: 4 us alone, then 6 us on two threads. */
static void look_at_amdahl(void)
{
    for (int both = 0; both < 2; both++) {
        struct made made;
        time_ns now = 1000;
        begin(&made);
        for (int i = 0; i < 100; i++) {
            wait_for(&made, 1, now, now + 4000, 0, now + 4000)->operation = TRACE_OP_BARRIER;
            if (!both)
                spend(&made, 0, now + 4000, 4000);
            if (both)
                spend(&made, 0, now + 10000, 6000), spend(&made, 1, now + 10004, 6004);
            wait_for(&made, 0, now + 10000, now + 10004, 1, now + 10004)->operation =
                TRACE_OP_BARRIER;
            visit(&made, 0, now + 10005);
            now += 10008;
        }
        window(&made, 0, now);
        replay(&made);
        for (int l = 0; l < LEVELS; l++)
            expect(near(period(&made, l), 10008 - shares[l] * (both ? 6004 : 4000), 1e-12),
                   "Amdahl's law");
        release(&made);
    }
}

/* ---- a lock ---- */

/* Two threads, w outside and c inside of a lock, that they have in turn: a pass takes max(c, (w + c)/2). */
static void look_at_convoy(void)
{
    enum { W = 1000, C = 3000, PASSES = 400 };
    for (int of_c = 0; of_c < 2; of_c++) {
        struct made made;
        time_ns free[2] = {1000, 1000}, released = 0;
        begin(&made);
        for (int i = 0; i < PASSES; i++) {
            uint32_t who = i % 2;
            time_ns asked = free[who] + W, had = latest(asked, released);
            if (!of_c)
                spend(&made, who, asked, W);
            if (released > asked)
                wait_for(&made, who, asked, had, !who, released);
            released = free[who] = had + C;
            if (of_c)
                spend(&made, who, released, C);
            visit(&made, who, released);
        }
        window(&made, 0, free[1] + 1);
        replay(&made);
        for (int l = 0; l < LEVELS; l++) {
            double left = 1 - shares[l], truth = of_c ? fmax(C * left, (W + C * left) / 2) : C;
            expect(near(period(&made, l), truth, 0.01), "a convoy's closed form");
        }
        release(&made);
    }
}

/* ---- a pipeline with a short queue ---- */

enum { ITEMS = 2000, ROOM = 3 };

/* When each item is put, 1 ns after there is room, and taken; 1 ns later there is room for another. A stage takes so much
 * of `f` or `g`. */
struct pipeline {
    time_ns asked[ITEMS], put[ITEMS], came[ITEMS], taken[ITEMS];
};

static void flow(struct pipeline *p, const time_ns *f, const time_ns *g, double left_g)
{
    time_ns first = 1000, second = 1000;
    for (int i = 0; i < ITEMS; i++) {
        p->asked[i] = first + f[i];
        p->put[i] = 1 + (i < ROOM ? p->asked[i] : latest(p->asked[i], p->taken[i - ROOM] + 1));
        p->came[i] = second;
        p->taken[i] = latest(second + 1, p->put[i]);
        first = p->put[i];
        second = p->taken[i] + (time_ns)(left_g * (double)g[i]);
    }
}

static void record_item(struct made *made, const struct pipeline *p, int i, time_ns g)
{
    struct timeline_thread *second = &made->threads[1];
    if (p->put[i] > p->asked[i] + 1)
        wait_for(made, 0, p->asked[i], p->put[i] - 1, 1, p->put[i] - 1);
    if (p->taken[i] > p->came[i] + 1)
        wait_for(made, 1, p->came[i] + 1, p->put[i], 0, p->put[i])->operation = TRACE_OP_SEMAPHORE;
    second->pickups[second->pickup_count++] =
        (struct pickup){.time = p->taken[i], .creator = 0, .creation_time = p->put[i]};
    spend(made, 1, p->taken[i] + g, g);
    visit(made, 1, p->taken[i] + g);
}

/* The tasks are marked: that an item can't be taken before it is put is known where nobody ever waited for one. */
static void look_at_pipeline(void)
{
    struct made made;
    struct pipeline recorded, truth;
    static time_ns f[ITEMS], g[ITEMS];
    unsigned state = 3;
    for (int i = 0; i < ITEMS; i++) {
        f[i] = 2 * fours(1000 + 1000 * uniform(&state)) + 1;
        g[i] = 2 * fours(2000 + 2000 * uniform(&state));
    }
    flow(&recorded, f, g, 1);
    begin(&made);
    for (int i = 0; i < ITEMS; i++)
        record_item(&made, &recorded, i, g[i]);
    window(&made, 0, recorded.taken[ITEMS - 1] + g[ITEMS - 1] + 1);
    replay(&made);
    for (int l = 0; l < LEVELS; l++) {
        flow(&truth, f, g, 1 - shares[l]);
        time_ns first = truth.taken[0] + (time_ns)((1 - shares[l]) * (double)g[0]);
        time_ns last = truth.taken[ITEMS - 1] + (time_ns)((1 - shares[l]) * (double)g[ITEMS - 1]);
        expect(made.got.levels[l].work_ns[0] == (double)(last - first), "a pipeline's recursion");
    }
    expect(near(period(&made, 3), 3000, 0.05), "at last the other stage takes longest");
    release(&made);
}

/* ---- M/M/1 ---- */

enum { OF_WINDOW = 1000 };

struct queue {
    time_ns came[OF_WINDOW], service[OF_WINDOW], start[OF_WINDOW];
};

/* Lindley: a request starts when it has come and the one before is done. */
static void serve(struct queue *q, double left)
{
    time_ns done = INT64_MIN;
    for (int i = 0; i < OF_WINDOW; i++) {
        q->start[i] = latest(q->came[i], done);
        done = q->start[i] + (time_ns)(left * (double)q->service[i]);
    }
}

static time_ns latency(const struct queue *q, int i, double left)
{
    return q->start[i] + (time_ns)(left * (double)q->service[i]) - q->came[i];
}

static void come(struct queue *q, time_ns from, unsigned *state)
{
    time_ns now = from;
    for (int i = 0; i < OF_WINDOW; i++) {
        q->came[i] = now += 1 + (time_ns)(-log(uniform(state)) * 1e6 / 0.6);
        q->service[i] = 4 + fours(-log(uniform(state)) * 1e6);
    }
}

/* Thread 0 is where they come from, thread 1 serves them; it waits where there is none. */
static time_ns record_queue(struct made *made, const struct queue *q, time_ns from)
{
    time_ns free = from;
    for (int i = 0; i < OF_WINDOW; i++) {
        uint32_t one = interval(made, 0, q->came[i]);
        if (q->came[i] > free)
            wait_for(made, 1, free, q->came[i], 0, q->came[i])->operation = TRACE_OP_COND;
        label(made, 1, q->start[i], one);
        free = q->start[i] + q->service[i];
        spend(made, 1, free, q->service[i]);
        end(made, one, 1, free);
        label(made, 1, free, INTERVAL_NONE);
    }
    return free;
}

static void look_at_queue(void)
{
    struct made made;
    static struct queue queues[BLOCKS];
    unsigned state = 5;
    time_ns now = 1000;
    begin(&made);
    for (int b = 0; b < BLOCKS; b++) {
        come(&queues[b], now, &state);
        serve(&queues[b], 1);
        time_ns until = record_queue(&made, &queues[b], now) + 1;
        window(&made, now, until);
        now = until + 1;
    }
    replay(&made);
    for (int l = 0; l < LEVELS; l++)
        for (int b = 0; b < BLOCKS; b++) {
            const struct causal_level *level = &made.got.levels[l];
            bool same = level->first[b + 1] - level->first[b] == OF_WINDOW;
            serve(&queues[b], 1 - shares[l]);
            for (int i = 0; i < OF_WINDOW && same; i++)
                same =
                    level->latencies[level->first[b] + i] == latency(&queues[b], i, 1 - shares[l]);
            expect(same, "Lindley's recursion, request by request");
        }
    for (int l = 1; l < 4; l++) {
        struct causal_effect effect = causal_effect_of(&made.got, l, 0, CAUSAL_MEAN);
        double left = 1 - shares[l], truth = left / (1 - 0.6 * left) * 0.4;
        expect(effect.known && effect.ci95[0] <= truth && truth <= effect.ci95[1],
               "the interval holds what Pollaczek and Khinchine say");
    }
    release(&made);
}

/* ---- what a wait becomes ---- */

/* Thread 1 waits from 100 to 260; what thread 0 spends before it releases at 250 is the target. Then it works until
 * 400. */
static time_ns waited(uint32_t waker, bool gave_up, double share)
{
    struct made made;
    begin(&made);
    uint32_t one = interval(&made, 1, 50);
    spend(&made, 0, 240, 200);
    wait_for(&made, 1, 100, 260, gave_up ? THREAD_NONE : waker, 250);
    end(&made, one, 1, 400);
    window(&made, 0, 500);
    replay(&made);
    time_ns got = 0;
    for (int l = 0; l < LEVELS; l++)
        if (shares[l] == share)
            got = made.got.levels[l].latencies[0];
    release(&made);
    return got;
}

static void look_at_waits(void)
{
    expect(waited(0, false, 0.5) == 250, "the wait ends 100 sooner, and waking takes as long");
    expect(waited(0, false, 0.75) == 200, "the release comes when the wait begins");
    expect(waited(0, false, 1) == 190, "it has come before: there is no wait, nor a waking");
    expect(waited(2, false, 1) == 350, "another thread's release is where it was");
    expect(waited(0, true, 1) == 350, "what nobody ended takes as long as it took");
}

/* Thread 0 makes thread 1 at 300, which picks it up at 330, and ends an interval of its maker at 400. */
static void look_at_births(void)
{
    struct made made;
    begin(&made);
    uint32_t one = interval(&made, 0, 50);
    spend(&made, 0, 300, 200);
    made.threads[1].first = 330;
    made.threads[1].pickups[made.threads[1].pickup_count++] =
        (struct pickup){.time = 330, .creator = 0, .creation_time = 300};
    end(&made, one, 1, 400);
    window(&made, 0, 500);
    replay(&made);
    expect(made.got.levels[2].latencies[0] == 250, "a thread begins when it is made");
    release(&made);
}

/* Thread 1 has 25 ns less to do before it takes up an interval that begins at 200, at `taken`, for which it did not wait;
 * from its other wait it was woken after 4. It ends at 300. */
static time_ns taken_up(time_ns taken)
{
    struct made made;
    begin(&made);
    wait_for(&made, 1, 20, 64, 0, 60);
    spend(&made, 1, taken - 1, 100);
    uint32_t one = interval(&made, 0, 200);
    label(&made, 1, taken, one);
    end(&made, one, 1, 300);
    window(&made, 0, 500);
    replay(&made);
    time_ns latency = made.got.levels[1].latencies[0];
    release(&made);
    return latency;
}

static void look_at_new_waits(void)
{
    expect(taken_up(210) == 94, "who waits now is woken as from other waits");
    expect(taken_up(202) == 100, "but not later than it came without a wait");
}

/* What ends in a window counts for the rate, wherever it began. */
static void look_at_earlier(void)
{
    struct made made;
    begin(&made);
    uint32_t one = interval(&made, 0, 50), other = interval(&made, 1, 120);
    spend(&made, 1, 300, 100);
    end(&made, one, 0, 200);
    end(&made, other, 1, 400);
    window(&made, 100, 500);
    replay(&made);
    expect(made.got.levels[0].work[0] == 1 && made.got.levels[0].work_ns[0] == 200,
           "two ended, 200 ns apart");
    expect(made.got.levels[4].work_ns[0] == 100, "or 100, without the target");
    expect(made.got.levels[0].count == 1, "and one latency counts");
    release(&made);
}

/* ---- what is not known ---- */

static void look_at_lost(void)
{
    struct made made;
    begin(&made);
    uint32_t one = interval(&made, 0, 50);
    spend(&made, 0, 300, 200);
    end(&made, one, 0, 400);
    window(&made, 0, 500);
    made.items[0].stages[3].target_ns = 220;
    replay(&made);
    expect(near(made.replay.noted, 200.0 / 220, 1e-9), "what has records is told");
    expect(!causal_replay_is_known(&made.replay), "and where much is lost, nothing is");
    release(&made);
}

/* Of 500 ns a thread waits 30 for a socket, or for whoever has ended a wait that began before. */
static void look_at_unknown(void)
{
    for (int way = 0; way < 3; way++) {
        struct made made;
        begin(&made);
        spend(&made, 0, 300, 200);
        if (way == 0)
            made.experiments.spent[made.experiments.spent_count++] =
                (struct target_time){310, 30, 1, true};
        else
            wait_for(&made, 1, 80, 130, THREAD_NONE, 130)->gave_up = way == 2;
        window(&made, 100, 600);
        made.items[0].stages[3].target_ns = 200;
        replay(&made);
        expect(near(made.replay.unknown, way == 2 ? 0 : 30.0 / 500, 1e-9),
               "what is not known is told");
        expect(causal_replay_is_known(&made.replay) == (way == 2), "and is too much");
        release(&made);
    }
}

static void look_at_types(void)
{
    struct made made;
    begin(&made);
    for (int i = 0; i < 10; i++) {
        uint32_t one = interval(&made, 0, 1000 * i + 100);
        spend(&made, 0, 1000 * i + 400, 40 * i);
        end(&made, one, 0, 1000 * i + 900);
        made.run.intervals[one].type = i % 2 ? "odd" : "even";
    }
    made.type = "odd";
    window(&made, 0, 10000);
    replay(&made);
    expect(made.got.levels[2].count == 5 && made.got.levels[2].latencies[2] == 700,
           "of a type are its own");
    release(&made);
}

/* ---- the two beside each other ---- */

/* Both have so many blocks of two requests; in the experiments a level takes `experiment` of the time, in the replay
 * `again`, and from block to block `spread` more or less. */
static void fill_level(struct causal_level *level, double left, double spread)
{
    level->latencies = memory_alloc(sizeof *level->latencies * 2 * BLOCKS);
    level->count = 2 * BLOCKS;
    for (int b = 0; b <= BLOCKS; b++)
        level->first[b] = 2 * b;
    for (int i = 0; i < 2 * BLOCKS; i++)
        level->latencies[i] = (int64_t)(1e6 * left * (1 + (i / 2 % 2 ? spread : -spread)));
}

static bool is_apart(double experiment, double again, double spread)
{
    struct causal_effect effects[2][CAUSAL_METRICS] = {{{0}}}, replays[2][CAUSAL_METRICS] = {{{0}}};
    struct causal_part part = {.effects = effects, .replays = replays};
    struct causal_samples *both[2] = {&part.samples, &part.replayed};
    for (int s = 0; s < 2; s++) {
        *both[s] = (struct causal_samples){.level_count = 2, .blocks = BLOCKS};
        both[s]->levels = memory_zeroed(sizeof *both[s]->levels * 2);
        fill_level(&both[s]->levels[0], 1, 0);
        fill_level(&both[s]->levels[1], s ? again : experiment, spread);
    }
    effects[1][CAUSAL_MEAN] = causal_effect_of(&part.samples, 1, 0, CAUSAL_MEAN);
    replays[1][CAUSAL_MEAN] = causal_effect_of(&part.replayed, 1, 0, CAUSAL_MEAN);
    bool apart = causal_is_apart(&part, 1, CAUSAL_MEAN);
    causal_samples_release(&part.samples);
    causal_samples_release(&part.replayed);
    return apart;
}

static void look_at_both(void)
{
    expect(is_apart(0.9, 0.7, 0.02), "what no chance can tell is a finding");
    expect(is_apart(0.7, 0.9, 0.02), "either way");
    expect(!is_apart(0.9, 0.7, 0.4), "what may be chance is none");
    expect(!is_apart(0.9, 0.86, 0.0), "nor is what is hardly anything");
    expect(!is_apart(0.9, 0.9, 0.0), "the same is the same");
}

int main(void)
{
    look_at_chain();
    look_at_barrier();
    look_at_early_meeting();
    look_at_amdahl();
    look_at_convoy();
    look_at_pipeline();
    look_at_queue();
    look_at_waits();
    look_at_births();
    look_at_new_waits();
    look_at_earlier();
    look_at_lost();
    look_at_unknown();
    look_at_types();
    look_at_both();
    return failures != 0;
}
