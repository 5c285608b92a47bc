/* Critical paths whose answers were worked out by hand; see the picture over each. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "run_builder.h"

enum { A = 100, B = 200, C = 300, D = 400 }; /* kernel's thread ids */

struct world {
    struct run_builder b;
    uint32_t serve, parse, compact, flush, lock, wait, push, pop, create; /* functions */
    uint32_t p_serve, p_parse, p_compact, p_flush;                        /* their probes */
    uint32_t lock_in_serve, lock_in_compact, unlock_in_compact, unlock_in_flush;
    uint32_t push_in_serve, pop_in_parse, create_in_serve;
};

static void world_init(struct world *w)
{
    struct run_builder *b = &w->b;
    run_builder_init(b);
    w->serve = run_builder_function(b, "serve", true);
    w->parse = run_builder_function(b, "parse", true);
    w->compact = run_builder_function(b, "compact", true);
    w->flush = run_builder_function(b, "flush", true);
    w->lock = run_builder_function(b, "pthread_mutex_lock", false);
    uint32_t unlock = run_builder_function(b, "pthread_mutex_unlock", false);
    w->push = run_builder_function(b, "queue_push", false);
    w->pop = run_builder_function(b, "queue_pop", false);
    w->create = run_builder_function(b, "pthread_create", false);
    w->p_serve = run_builder_probe(b, PROBE_FUNCTION, w->serve, FUNCTION_NONE);
    w->p_parse = run_builder_probe(b, PROBE_FUNCTION, w->parse, FUNCTION_NONE);
    w->p_compact = run_builder_probe(b, PROBE_FUNCTION, w->compact, FUNCTION_NONE);
    w->p_flush = run_builder_probe(b, PROBE_FUNCTION, w->flush, FUNCTION_NONE);
    w->lock_in_serve = run_builder_probe(b, PROBE_SYNC, w->lock, w->serve);
    w->lock_in_compact = run_builder_probe(b, PROBE_SYNC, w->lock, w->compact);
    w->unlock_in_compact = run_builder_probe(b, PROBE_SYNC, unlock, w->compact);
    w->unlock_in_flush = run_builder_probe(b, PROBE_SYNC, unlock, w->flush);
    w->push_in_serve = run_builder_probe(b, PROBE_TASK, w->push, w->serve);
    w->pop_in_parse = run_builder_probe(b, PROBE_TASK, w->pop, w->parse);
    w->create_in_serve = run_builder_probe(b, PROBE_SYNC, w->create, w->serve);
}

static int expect(struct world *w, const char *name, const char *expected)
{
    int failed = !run_builder_expect(&w->b, name, expected);
    run_builder_release(&w->b);
    return failed;
}

static void label(struct world *w, uint32_t thread, time_ns from, time_ns to, uint32_t interval)
{
    run_builder_label(&w->b, thread, from, interval);
    run_builder_label(&w->b, thread, to, INTERVAL_NONE);
}

static void span(struct world *w, uint32_t thread, uint32_t probe, time_ns from, time_ns to)
{
    run_builder_enter(&w->b, thread, from, probe, 0);
    run_builder_leave(&w->b, thread, to);
}

/*   A  I[10                                  90]
 *        serve[5                          80]           a span that begins before the interval
 *              parse[20  30]  parse[40  60]
 *   own of serve 70 - 10 - 20 = 40, outside 90 - 80 = 10 */
static int one_thread(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A);
    run_builder_enter(&w.b, a, 5, w.p_serve, 0);
    span(&w, a, w.p_parse, 20, 30);
    span(&w, a, w.p_parse, 40, 60);
    run_builder_leave(&w.b, a, 80);
    label(&w, a, 10, 90, run_builder_interval(&w.b, a, 10, a, 90));
    return expect(&w, "one thread", "interval 0: . 10; serve 40; serve/parse 30\n");
}

/*   A  I[0  serve[10   lock[20 blocked 60]  70]  80]
 *   B     compact[0   flush[30  40]   unlock 55  65]
 *   Of the 40 blocked: 5 wake-up latency; compact 20..30 and 40..55 = 25, flush 10. */
static int lock_holder(bool with_call_span)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    run_builder_enter(&w.b, a, 10, w.p_serve, 0);
    if (with_call_span)
        span(&w, a, w.lock_in_serve, 20, 60);
    run_builder_leave(&w.b, a, 70);
    run_builder_block(&w.b, a,
                      (struct block){20, 60, 7, w.lock_in_serve, TRACE_OP_MUTEX, b,
                                     w.unlock_in_compact, 55, false, false, 0, HOLD_NONE, 0});
    run_builder_enter(&w.b, b, 0, w.p_compact, 0);
    span(&w, b, w.p_flush, 30, 40);
    run_builder_leave(&w.b, b, 65);
    label(&w, a, 0, 80, run_builder_interval(&w.b, a, 0, a, 80));
    return expect(&w, with_call_span ? "lock with call span" : "lock",
                  "interval 0: . 20; serve 20; "
                  "serve/pthread_mutex_lock/(wake-up latency) 5; "
                  "serve/pthread_mutex_lock/<compact 25; "
                  "serve/pthread_mutex_lock/<compact/<flush 10\n");
}

/* Functions of this program, for a stack that says where the waker was. */
int holder_compact(void);
int holder_keep(int (*compact)(void));
static uint64_t holder_stack[2];

__attribute__((noinline)) static uint64_t caller(void)
{
    return (uintptr_t)__builtin_return_address(0);
}

__attribute__((noinline)) int holder_compact(void)
{
    holder_stack[0] = caller();
    holder_stack[1] = (uintptr_t)__builtin_return_address(0);
    __asm__ volatile("" ::: "memory");
    return 1;
}

__attribute__((noinline)) int holder_keep(int (*compact)(void))
{
    int n = compact();
    __asm__ volatile("" ::: "memory");
    return n;
}

static int expect_held(bool timed, const char *name, const char *expected)
{
    int (*volatile compact)(void) = holder_compact;
    struct caller_stack stacks[] = {{0, 0, NULL}, {0, 2, holder_stack}};
    struct world w;
    struct str maps = {0};
    struct error error;
    world_init(&w);
    holder_keep(compact);
    w.b.run.stacks = stacks;
    w.b.run.stack_count = 2;
    w.b.process.maps = file_read(&maps, "/proc/self/maps", &error) ? maps.data : "";
    uint32_t held = run_builder_function(&w.b, "holder_compact", true);
    run_builder_function(&w.b, "holder_keep", true);
    uint32_t p_held = run_builder_probe(&w.b, PROBE_FUNCTION, held, FUNCTION_NONE);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    run_builder_block(
        &w.b, a,
        (struct block){20, 60, 7, 0, TRACE_OP_MUTEX, b, 0, 55, false, false, 1, HOLD_NONE, 0});
    if (timed)
        run_builder_enter(&w.b, b, 25, p_held, 0);
    span(&w, b, w.p_flush, 30, 50);
    if (timed)
        run_builder_leave(&w.b, b, 57);
    label(&w, a, 10, 70, run_builder_interval(&w.b, a, 10, a, 70));
    int failed = expect(&w, name, expected);
    str_release(&maps);
    return failed;
}

/*   A  I[10   lock[20 blocked              60]  70]
 *   B   keep( compact(   flush[30      50]   unlock 55   neither is timed
 *   The two are known from the stack of the release: all that B did hangs below them. */
static int holder_in_helper(void)
{
    return expect_held(false, "a holder that works in a helper",
                       "interval 0: . 20; pthread_mutex_lock/(wake-up latency) 5; "
                       "pthread_mutex_lock/<holder_keep/<holder_compact 15; "
                       "pthread_mutex_lock/<holder_keep/<holder_compact/<flush 20\n");
}

/*   The same where compact[25  57] is timed: 20..25 is all that is told by its name alone. */
static int holder_timed(void)
{
    return expect_held(true, "a holder whose caller is not timed",
                       "interval 0: . 20; pthread_mutex_lock/(wake-up latency) 5; "
                       "pthread_mutex_lock/<holder_keep/<holder_compact 15; "
                       "pthread_mutex_lock/<holder_keep/<holder_compact/<flush 20\n");
}

/*   A  I[0  serve[10   lock[30 blocked 48]  60]  70]      woken by B at 48
 *   B     compact[0  lock[15 blocked              47] 50]  48 unlocks; its block begins before A's
 *                      flush[20               45]          what the blocking call does meanwhile
 *   C     flush[0                             47]          unlocks at 47
 *   A's 30..48 is B's: 30..47 in its lock, for C's flush, and 47..48 of compact. */
static int inside_a_block(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    uint32_t c = run_builder_thread(&w.b, C);
    span(&w, a, w.p_serve, 10, 60);
    run_builder_block(&w.b, a,
                      (struct block){30, 48, 7, w.lock_in_serve, TRACE_OP_MUTEX, b,
                                     w.unlock_in_compact, 48, false, false, 0, HOLD_NONE, 0});
    run_builder_enter(&w.b, b, 0, w.p_compact, 0);
    run_builder_enter(&w.b, b, 15, w.lock_in_compact, 0);
    span(&w, b, w.p_flush, 20, 45);
    run_builder_leave(&w.b, b, 47);
    run_builder_leave(&w.b, b, 50);
    run_builder_block(&w.b, b,
                      (struct block){15, 47, 8, w.lock_in_compact, TRACE_OP_MUTEX, c,
                                     w.unlock_in_flush, 47, false, false, 0, HOLD_NONE, 0});
    span(&w, c, w.p_flush, 0, 47);
    label(&w, a, 0, 70, run_builder_interval(&w.b, a, 0, a, 70));
    return expect(&w, "inside a block",
                  "interval 0: . 20; serve 32; "
                  "serve/pthread_mutex_lock/<compact 1; "
                  "serve/pthread_mutex_lock/<compact/<pthread_mutex_lock/<flush 17\n");
}

/* The holder has no span while it holds: the function that holds the release stands for it; without
 * a known release, the thread. A block without a site is named after its operation. */
static int holder_without_span(bool known_site)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    run_builder_block(&w.b, a,
                      (struct block){20, 60, 7, 0, TRACE_OP_RWLOCK_WRITE, b,
                                     known_site ? w.unlock_in_flush : 0, 55, false, false, 0,
                                     HOLD_NONE, 0});
    span(&w, b, w.p_compact, 30, 40);
    label(&w, a, 0, 80, run_builder_interval(&w.b, a, 0, a, 80));
    return known_site ? expect(&w, "release names the holder",
                               "interval 0: . 40; rwlock write/(wake-up latency) 5; "
                               "rwlock write/<compact 10; rwlock write/<flush 25\n")
                      : expect(&w, "thread names the holder",
                               "interval 0: . 40; rwlock write/(wake-up latency) 5; "
                               "rwlock write/<compact 10; rwlock write/<thread 200 25\n");
}

/* A convoy: A waits for B, which itself waits for C most of that time.
 *   A  I[0          [10          blocked          60]      70]
 *   B      compact[5       [20  blocked  50]   unlock 58  ...
 *   C      flush[0                  unlock 45 ...                                              */
static int convoy(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    uint32_t c = run_builder_thread(&w.b, C);
    run_builder_enter(&w.b, a, 0, w.p_serve, 0);
    run_builder_block(&w.b, a,
                      (struct block){10, 60, 7, w.lock_in_serve, TRACE_OP_MUTEX, b,
                                     w.unlock_in_compact, 58, false, false, 0, HOLD_NONE, 0});
    run_builder_leave(&w.b, a, 70);
    span(&w, b, w.p_compact, 5, 65);
    run_builder_block(&w.b, b,
                      (struct block){20, 50, 8, w.lock_in_compact, TRACE_OP_MUTEX, c,
                                     w.unlock_in_flush, 45, false, false, 0, HOLD_NONE, 0});
    span(&w, c, w.p_flush, 0, 100);
    label(&w, a, 0, 70, run_builder_interval(&w.b, a, 0, a, 70));
    /* 60..58 latency; B: 58..50 and 20..10 own 18, 50..45 latency, 45..20 C's flush */
    return expect(&w, "convoy",
                  "interval 0: serve 20; serve/pthread_mutex_lock/(wake-up latency) 2; "
                  "serve/pthread_mutex_lock/<compact 18; "
                  "serve/pthread_mutex_lock/<compact/<pthread_mutex_lock/(wake-up latency) 5; "
                  "serve/pthread_mutex_lock/<compact/<pthread_mutex_lock/<flush 25\n");
}

/* The waker's own wait began before ours: only what lies within ours counts.
 *   A  [30 blocked 60], woken by B at 58;  B [10 blocked 40], woken by C at 20 */
static int waker_clipped(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    uint32_t c = run_builder_thread(&w.b, C);
    run_builder_block(
        &w.b, a,
        (struct block){30, 60, 7, 0, TRACE_OP_MUTEX, b, 0, 58, false, false, 0, HOLD_NONE, 0});
    run_builder_block(
        &w.b, b,
        (struct block){10, 40, 8, 0, TRACE_OP_COND, c, 0, 20, false, false, 0, HOLD_NONE, 0});
    span(&w, b, w.p_compact, 5, 65);
    label(&w, a, 0, 70, run_builder_interval(&w.b, a, 0, a, 70));
    return expect(&w, "clipped",
                  "interval 0: . 40; pthread_mutex_lock/(wake-up latency) 2; "
                  "pthread_mutex_lock/<compact 18; "
                  "pthread_mutex_lock/<compact/<pthread_cond_wait/(wake-up latency) 10\n");
}

/* Two blocks that stick out of the interval, without a known waker and without any. */
static int missing_waker(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    span(&w, a, w.p_serve, 0, 100);
    run_builder_block(&w.b, a,
                      (struct block){10, 40, 7, 0, TRACE_OP_JOIN, THREAD_NONE, 0, 10, false, false,
                                     0, HOLD_NONE, 0});
    run_builder_block(&w.b, a,
                      (struct block){40, 60, 7, 0, TRACE_OP_JOIN, THREAD_NONE, 0, 40, false, true,
                                     0, HOLD_NONE, 0});
    label(&w, a, 20, 50, run_builder_interval(&w.b, a, 20, b, 50));
    return expect(&w, "missing waker",
                  "interval 0: serve/pthread_join/(timed out or interrupted) 10; "
                  "serve/pthread_join/(unknown waker) 20\n");
}

/* A task goes through three threads; B and C wait in between.
 *   A  I[0  serve[0   push 10] ...
 *   B            pop 25  ENTER I 30  parse[30  push 50] none 52
 *   C                                     thread start 70, ENTER I 71,   end 90
 *   B: queue 10..25, 25..30 outside; C: its creation at 50, start at 70. */
static int queue(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    uint32_t c = run_builder_thread(&w.b, C);
    uint32_t i = run_builder_interval(&w.b, a, 0, c, 90);
    span(&w, a, w.p_serve, 0, 12);
    label(&w, a, 0, 12, i);
    run_builder_pickup(&w.b, b, (struct pickup){25, a, w.push_in_serve, 10, w.pop_in_parse, 0});
    span(&w, b, w.p_parse, 30, 52);
    label(&w, b, 30, 52, i);
    run_builder_pickup(&w.b, c, (struct pickup){70, b, w.create_in_serve, 50, 0, 0});
    label(&w, c, 71, 90, i);
    w.b.run.threads[c].first = 70;
    return expect(&w, "queue",
                  "interval 0: . 25; [pthread_create] 20; "
                  "[queue_push -> queue_pop]/<thread 200 15; parse 20; serve 10\n");
}

/* A worker that never leaves an interval: its second task is picked up under the first's label.
 *   A  I0[0 push 5] I1[20 push 30]
 *   B  pop 10, I0[11             pop 40, I1[41  end 60] */
static int pickup_within_other_interval(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    uint32_t first = run_builder_interval(&w.b, a, 0, b, 35);
    uint32_t second = run_builder_interval(&w.b, a, 20, b, 60);
    label(&w, a, 0, 6, first);
    label(&w, a, 20, 32, second);
    run_builder_pickup(&w.b, b, (struct pickup){10, a, w.push_in_serve, 5, w.pop_in_parse, 0});
    run_builder_pickup(&w.b, b, (struct pickup){40, a, w.push_in_serve, 30, w.pop_in_parse, 0});
    run_builder_label(&w.b, b, 11, first);
    label(&w, b, 41, 60, second);
    return expect(&w, "pickup within another interval",
                  "interval 0: . 30; [queue_push -> queue_pop]/<thread 200 5\n"
                  "interval 1: . 30; "
                  "[queue_push -> queue_pop]/{another interval}/<thread 200 10\n");
}

/* A pickup before the thread's previous segment belongs to that one: here it is a hand-over.
 *   A  I[0  20]       B  pop 2  J[5 10]   I[30  40] */
static int stale_pickup(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    uint32_t i = run_builder_interval(&w.b, a, 0, b, 40);
    uint32_t j = run_builder_interval(&w.b, a, 1, b, 10);
    w.b.run.intervals[j].complete = false;
    label(&w, a, 0, 20, i);
    run_builder_pickup(&w.b, b, (struct pickup){2, a, w.push_in_serve, 1, w.pop_in_parse, 0});
    label(&w, b, 5, 10, j);
    label(&w, b, 30, 40, i);
    return expect(&w, "stale pickup", "interval 0: . 30; [queue (undeclared)]/<thread 200 10\n");
}

/* The task was made before the interval began, as in Figure 2 of the paper: the path does not
 * touch the segment in which the interval began.
 *   A  I[10 20]
 *   B        pop 30, I[30    [40 blocked 60] ...  80]    task made by C at 5
 *   C  compact[0                      unlock 55                                              */
static int figure_2(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    uint32_t c = run_builder_thread(&w.b, C);
    uint32_t i = run_builder_interval(&w.b, a, 10, b, 80);
    span(&w, a, w.p_serve, 10, 20);
    label(&w, a, 10, 20, i);
    run_builder_pickup(&w.b, b, (struct pickup){30, c, w.push_in_serve, 5, w.pop_in_parse, 0});
    span(&w, b, w.p_parse, 30, 80);
    run_builder_block(&w.b, b,
                      (struct block){40, 60, 7, w.lock_in_serve, TRACE_OP_MUTEX, c,
                                     w.unlock_in_compact, 55, false, false, 0, HOLD_NONE, 0});
    label(&w, b, 30, 80, i);
    span(&w, c, w.p_compact, 0, 100);
    return expect(&w, "figure 2",
                  "interval 0: [queue_push -> queue_pop]/<thread 200 20; parse 30; "
                  "parse/pthread_mutex_lock/(wake-up latency) 5; "
                  "parse/pthread_mutex_lock/<compact 15\n");
}

/* Begun on A, ended on B, no task in between; B comes back to it once; D, which ends it, never
 * worked for it.
 *   A  I[0  10]
 *   B          I[25  40]      I[60  70]
 *   D                                     end 75 */
static int hand_over_and_waiting(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    uint32_t d = run_builder_thread(&w.b, D);
    uint32_t i = run_builder_interval(&w.b, a, 0, d, 75);
    label(&w, a, 0, 10, i);
    label(&w, b, 25, 40, i);
    label(&w, b, 60, 70, i);
    w.b.run.threads[b].first = 22;
    return expect(&w, "hand-over and waiting", /* 12 before B is known of, 3 + 5; 20; 10+15+10 */
                  "interval 0: (waiting)/<thread 200 20; . 35; [queue (undeclared)] 12; "
                  "[queue (undeclared)]/<thread 200 3; [queue (undeclared)]/<thread 400 5\n");
}

/* A loop serves I, then J and nobody, waits in epoll_wait, and comes back to I:
 *   A  loop[0                                                       100]
 *      I[0  10]  J[20  compact[25 35] 40]   blocked[50 70]  I[80  90]
 *   B                                    flush[45      60]  wakes A at 66 */
static int loop_serves_another(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    uint32_t i = run_builder_interval(&w.b, a, 0, a, 90);
    uint32_t j = run_builder_interval(&w.b, a, 20, a, 40);
    w.b.run.intervals[j].type = "report";
    run_builder_enter(&w.b, a, 0, w.p_serve, 0);
    span(&w, a, w.p_compact, 25, 35);
    run_builder_leave(&w.b, a, 100);
    run_builder_block(
        &w.b, a, (struct block){50, 70, 7, 0, TRACE_OP_CHANNEL, b, 0, 66, false, false, 0, 0, 0});
    span(&w, b, w.p_flush, 45, 60);
    label(&w, a, 0, 10, i);
    label(&w, a, 20, 40, j);
    label(&w, a, 80, 90, i);
    return expect(&w, "loop serves another",
                  "interval 0: (waiting)/<serve 30; (waiting)/<serve/<read/(wake-up latency) 4; "
                  "(waiting)/<serve/<read/<flush 10; (waiting)/<serve/<read/<thread 200 6; "
                  "(waiting)/{another interval (report)}/<serve 10; "
                  "(waiting)/{another interval (report)}/<serve/<compact 10; serve 20\n"
                  "interval 1: serve 10; serve/compact 10\n");
}

/* A loop serves J and K forty times each while I waits, in turns of 10: 4 of J with a call, a break
 * of 1, 3 of K, and 2 in which it is blocked, by B. What it did is added up in chunks, wherever
 * they begin and end in the wait; but not while B works for I, too, whose work then is nobody
 * else's. A  I[0  5]  J[10 14] K[15 18] blocked[18 20]  J[20 24] ...   K[405 408] blocked[408 410]
 * I[411 415] B  flush[0 ...                        I, from `from` to `to` */
static int loop_of_many(time_ns from, time_ns to, const char *expected)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    uint32_t i = run_builder_interval(&w.b, a, 0, a, 415);
    uint32_t j = run_builder_interval(&w.b, a, 10, a, 411);
    uint32_t k = run_builder_interval(&w.b, a, 15, a, 411);
    w.b.run.intervals[j].type = "j";
    w.b.run.intervals[k].type = "k";
    w.b.run.intervals[j].complete = w.b.run.intervals[k].complete = false;
    label(&w, a, 0, 5, i);
    for (time_ns t = 10; t < 410; t += 10) {
        label(&w, a, t, t + 4, j);
        span(&w, a, w.p_compact, t + 1, t + 4);
        label(&w, a, t + 5, t + 8, k);
        run_builder_block(&w.b, a,
                          (struct block){t + 8, t + 10, 7, 0, TRACE_OP_CHANNEL, b, 0, t + 10, false,
                                         false, 0, 0, 0});
    }
    label(&w, a, 411, 415, i);
    span(&w, b, w.p_flush, 0, 500);
    if (from < to)
        label(&w, b, from, to, i);
    return expect(&w, "loop of many", expected);
}

/* Two threads are at work for the interval when a third takes over: the one that began last.
 *   A  serve I[0            100...     B  parse I[10  60]      C  I[50  70] */
static int hand_over_from_running(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    uint32_t c = run_builder_thread(&w.b, C);
    uint32_t i = run_builder_interval(&w.b, a, 0, c, 70);
    span(&w, a, w.p_serve, 0, 100);
    run_builder_label(&w.b, a, 0, i);
    span(&w, b, w.p_parse, 0, 100);
    label(&w, b, 10, 60, i);
    label(&w, c, 50, 70, i);
    return expect(&w, "hand-over from running", "interval 0: . 20; parse 40; serve 10\n");
}

/* A producer takes a task every 100, hands it to B by a queue that nothing declares, and waits for
 * the next one. It leaves no interval before it begins the next:
 *   A  BEGIN I[0  20]poll[20      100]  BEGIN J[100 ...
 *   B                  ...busy  ENTER I[70  90]
 * Too few tasks teach nothing: then A has the interval until B takes it. */
static int left_off_by_waiting(uint32_t tasks, const char *expected)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    for (uint32_t n = 0; n < tasks; n++) {
        time_ns at = 100 * (time_ns)n;
        uint32_t i = run_builder_interval(&w.b, a, at, b, at + 90);
        w.b.run.intervals[i].complete = n + 1 == tasks;
        run_builder_label(&w.b, a, at, i);
        run_builder_block(&w.b, a,
                          (struct block){at + 10, at + 15, 7, 0, TRACE_OP_MUTEX, THREAD_NONE, 0,
                                         at + 15, false, false, 0, HOLD_NONE, 0});
        run_builder_block(&w.b, a,
                          (struct block){at + 20, at + 100, 8, 0, TRACE_OP_CHANNEL, THREAD_NONE, 0,
                                         at + 100, false, true, 0, HOLD_NONE, 0});
        label(&w, b, at + 70, at + 90, i);
    }
    run_builder_label(&w.b, a, 100 * (time_ns)tasks, INTERVAL_NONE);
    w.b.run.threads[b].first = 0;
    return expect(&w, "left off by waiting", expected);
}

/* Nobody is labelled before 30. */
static int unexplained(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A);
    uint32_t i = run_builder_interval(&w.b, a, 10, a, 50);
    label(&w, a, 30, 50, i);
    return expect(&w, "unexplained", "interval 0: . 20; ? 20\n");
}

static int never_labelled(void)
{
    struct world w;
    world_init(&w);
    run_builder_interval(&w.b, THREAD_NONE, 10, THREAD_NONE, 50);
    return expect(&w, "never labelled", "interval 0: ? 40\n");
}

static int no_extent(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A);
    uint32_t i = run_builder_interval(&w.b, a, 10, a, 10);
    label(&w, a, 10, 10, i);
    return expect(&w, "no extent", "interval 0:\n");
}

/* Recursion: every level is a node of its own. */
static int recursion(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A);
    run_builder_enter(&w.b, a, 0, w.p_parse, 0);
    run_builder_enter(&w.b, a, 10, w.p_parse, 0);
    span(&w, a, w.p_parse, 20, 25);
    run_builder_leave(&w.b, a, 40);
    run_builder_leave(&w.b, a, 50);
    label(&w, a, 0, 50, run_builder_interval(&w.b, a, 0, a, 50));
    return expect(&w, "recursion", "interval 0: parse 20; parse/parse 25; parse/parse/parse 5\n");
}

/* Two threads that are said to wake each other within one wait: the depth ends it. */
static int circle(void)
{
    struct world w;
    world_init(&w);
    uint32_t a = run_builder_thread(&w.b, A), b = run_builder_thread(&w.b, B);
    run_builder_block(
        &w.b, a,
        (struct block){0, 50, 7, 0, TRACE_OP_COND, b, 0, 50, false, false, 0, HOLD_NONE, 0});
    run_builder_block(
        &w.b, b,
        (struct block){0, 50, 7, 0, TRACE_OP_COND, a, 0, 50, false, false, 0, HOLD_NONE, 0});
    label(&w, a, 0, 50, run_builder_interval(&w.b, a, 0, a, 50));
    const char *rows = run_builder_rows(&w.b);
    int depth = 0;
    for (const char *c = rows; *c; c++)
        depth += *c == '<';
    const char *end = strstr(rows, "/(waiting for others) 50\n");
    int failed = depth != 64 || !end || end[25];
    if (failed)
        printf("circle: depth %d, %s", depth, rows);
    run_builder_release(&w.b);
    return failed;
}

int main(void)
{
    int failed = one_thread() + lock_holder(false) + lock_holder(true);
    failed += holder_without_span(true) + holder_without_span(false) + convoy() + waker_clipped();
    failed += missing_waker() + queue() + pickup_within_other_interval() + stale_pickup();
    failed += figure_2() + hand_over_and_waiting() + hand_over_from_running() + unexplained();
    failed += left_off_by_waiting(9, "interval 8: . 35; [queue (undeclared)]/<thread 200 50; "
                                     "pthread_mutex_lock/(unknown waker) 5\n");
    failed += left_off_by_waiting(8, "interval 7: . 35; pthread_mutex_lock/(unknown waker) 5; "
                                     "read/(timed out or interrupted) 50\n");
    failed += loop_of_many(0, 0,
                           "interval 0: (waiting)/<read/<flush 80; (waiting)/<thread 100 46; "
                           "(waiting)/{another interval (j)}/<compact 120; "
                           "(waiting)/{another interval (j)}/<thread 100 40; "
                           "(waiting)/{another interval (k)}/<thread 100 120; . 9\n");
    failed += loop_of_many(200, 300,
                           "interval 0: (waiting)/<read/<flush 80; (waiting)/<thread 100 46; "
                           "(waiting)/{another interval (j)}/<compact 120; "
                           "(waiting)/{another interval (j)}/<thread 100 40; "
                           "(waiting)/{another interval (k)}/<thread 100 120; . 9\n");
    failed += loop_serves_another() + never_labelled() + no_extent() + recursion() + circle() +
              inside_a_block();
    failed += holder_in_helper() + holder_timed();
    printf("%d failed\n", failed);
    return failed != 0;
}
