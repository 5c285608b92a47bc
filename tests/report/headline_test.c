/* report/variance/headline.h: what the first lines of a ledger, and a pair, make of the headline. */
#include <stdio.h>
#include <string.h>

#include "report/variance/headline.h"

static int failures;

/*  interval: open_file (now), build_header (now), serve (lock (compact)), push -> pop */
enum { ROOT, OPEN, OPEN_NOW, BUILD, BUILD_NOW, SERVE, LOCK, COMPACT, QUEUE, NODES };
enum { F_OPEN, F_BUILD, F_NOW, F_SERVE, F_COMPACT };

static struct tree_node nodes[NODES] = {
    [ROOT] = {.parent = NODE_NONE, .function = FUNCTION_NONE, .contribution = 1},
    [OPEN] = {.kind = NODE_FUNCTION, .function = F_OPEN, .body = true, .share = 0.5},
    [OPEN_NOW] = {.parent = OPEN, .function = F_NOW, .body = true, .share = 0.48},
    [BUILD] = {.kind = NODE_FUNCTION, .function = F_BUILD, .body = true, .share = 0.5},
    [BUILD_NOW] = {.parent = BUILD, .function = F_NOW, .body = true, .share = 0.48},
    [SERVE] = {.kind = NODE_FUNCTION, .function = F_SERVE, .body = true},
    [LOCK] = {.kind = NODE_CALL, .parent = SERVE, .function = FUNCTION_NONE, .blocked = true},
    [COMPACT] = {.kind = NODE_WOKEN_BY, .parent = LOCK, .function = F_COMPACT, .body = true},
    [QUEUE] = {.kind = NODE_QUEUE, .function = FUNCTION_NONE},
};

static struct ledger_line line(const char *name, uint32_t function, double own, double waits)
{
    double share = own + waits;
    return (struct ledger_line){.name = name,
                                .function = function,
                                .file = "s.c",
                                .line = 7,
                                .all.share = share,
                                .own.share = own,
                                .waits.share = waits,
                                .ci95 = {share - 0.01, share + 0.01}};
}

static void expect_of(const struct variance_report *report, const char *expected)
{
    struct str text = {0};
    headline_write(report, 48, true, &text);
    if (strcmp(str_text(&text), expected) != 0) {
        fprintf(stderr, "expected \"%s\"\n     got \"%s\"\n", expected, str_text(&text));
        failures++;
    }
    str_release(&text);
}

static void expect(struct ledger_line *lines, uint32_t count, struct factor_list *factors,
                   const char *expected)
{
    struct variance_tree tree = {.nodes = nodes,
                                 .node_count = NODES,
                                 .intervals = {.count = 9, .mean_ns = 1, .variance_ns2 = 1}};
    struct root_ledger ledger = {.lines = lines, .count = count};
    struct report of = {.target = "t", .top = 3, .threshold = 0.05, .functions_timed = 1};
    struct variance_report report = {
        .of = &of, .tree = &tree, .factors = factors, .roots = &ledger};
    expect_of(&report, expected);
}

static void by_side(void)
{
    struct ledger_part parts[] = {{.waited = 0}, {.waited = LOCK, .in = "pthread_mutex_lock"}};
    struct ledger_way ways[] = {{.name = "usleep", .sums.share = 0.6}};
    struct ledger_line lines[] = {line("compact", F_COMPACT, 0.32, 0.46),
                                  line("parse", F_SERVE, 0.12, 0), line("log", F_OPEN, 0.04, 0)};
    lines[0].parts = parts;
    lines[0].part_count = 2;
    expect(lines, 3, NULL,
           "78 % of the latency variance of t goes back to compact (s.c:7): 32 % in requests "
           "themselves, 46 % in others that wait in pthread_mutex_lock for it. Next: parse 12 %.");
    lines[0].ways = ways;
    lines[0].way_count = 1;
    lines[0].own.share = 0.01;
    lines[0].waits.share = 0.77;
    lines[1].ci95[0] = -0.01;
    expect(
        lines, 3, NULL,
        "78 % of the latency variance of t goes back to compact (s.c:7), calling usleep: requests "
        "wait in pthread_mutex_lock for it.");
    parts[1] = (struct ledger_part){.waited = QUEUE, .in = "push -> pop"};
    expect(
        lines, 1, NULL,
        "78 % of the latency variance of t goes back to compact (s.c:7), calling usleep: requests "
        "lie in the queue push -> pop meanwhile.");
    lines[0].ci95[0] = -5.72;
    lines[0].own = lines[0].all;
    lines[0].unseen.share = 0.7;
    lines[0].waits.share = 0;
    expect(
        lines, 1, NULL,
        "78 % of the latency variance of t goes back to compact (s.c:7), calling usleep. It waits "
        "there for what left no trace: 70 %. Its 95 % interval holds 0: record more intervals.");
}

/* Requests wait for one lock, whose holder waits for another one. */
static void through_two_locks(void)
{
    struct ledger_part part = {.waited = COMPACT, .in = "pthread_mutex_lock"};
    struct ledger_line of = line("write_log", F_OPEN, 0, 0.97);
    of.parts = &part;
    of.part_count = 1;
    nodes[LOCK].lock = nodes[COMPACT].lock = true;
    nodes[LOCK].object = "cache_lock";
    nodes[COMPACT].object = "log_lock";
    expect(&of, 1, NULL,
           "97 % of the latency variance of t goes back to write_log (s.c:7): requests wait for "
           "cache_lock, whose holder waits for log_lock, which write_log holds.");
    nodes[COMPACT].object = "cache_lock";
    expect(&of, 1, NULL,
           "97 % of the latency variance of t goes back to write_log (s.c:7): requests wait for "
           "cache_lock, which it holds.");
    nodes[COMPACT].lock = false;
    expect(&of, 1, NULL,
           "97 % of the latency variance of t goes back to write_log (s.c:7): requests wait for "
           "cache_lock, whose holder waits in pthread_mutex_lock for write_log.");
    nodes[LOCK].lock = false;
    nodes[LOCK].object = NULL;
}

static void where_no_function_does_it(void)
{
    struct ledger_line lines[] = {line("wake-up latency", FUNCTION_NONE, 0.5, 0.2)};
    lines[0].kind = OWNER_WAKE_UP;
    expect(lines, 1, NULL,
           "70 % of the latency variance of t is wake-up latency: threads that were woken wait "
           "for a processor.");
    lines[0].kind = OWNER_QUEUE;
    lines[0].waits.share = 0;
    lines[0].name = "push -> pop";
    expect(lines, 1, NULL,
           "70 % of the latency variance of t is time in the queue push -> pop (s.c:7).");
    lines[0].all.share = 0.04;
    expect(lines, 1, NULL,
           "Nobody stands out: no function has more than 5.0 % of the latency variance of t.");
}

/* A pair is told if no line has much more, but for a function that both of it call. */
static void pairs(void)
{
    struct factor_site site = {OPEN, BUILD, 0.49};
    struct factor factor = {.rank = 7,
                            .kind = FACTOR_COVARIANCE,
                            .names = {"build_header", "open_file"},
                            .contribution = 0.49,
                            .ci95 = {0.47, 0.51},
                            .sites = &site,
                            .site_count = 1};
    struct factor_list list = {.factors = &factor, .count = 1};
    struct ledger_line lines[] = {line("now", F_NOW, 0.96, 0)};
    const char *told = "96 % of the latency variance of t goes back to now (s.c:7). 49 % is "
                       "build_header and open_file being slow together: look for what both depend "
                       "on.";
    const char *alone = "96 % of the latency variance of t goes back to now (s.c:7).";
    expect(lines, 1, &list, told);
    nodes[BUILD_NOW].share = 0.01;
    expect(lines, 1, &list, alone);
    nodes[BUILD_NOW].share = 0.48;
    factor.ci95[0] = -0.02;
    expect(lines, 1, &list, alone);
    factor.ci95[0] = 0.47;
    lines[0].function = F_SERVE;
    expect(lines, 1, &list, alone);
    lines[0].all.share = 0.5;
    expect(lines, 1, &list,
           "50 % of the latency variance of t goes back to now (s.c:7). 49 % is build_header and "
           "open_file being slow together: look for what both depend on.");
}

/* The percentiles are those of the whole run; what the slow ones save elsewhere is no part of the sentence. */
static void apart(void)
{
    struct variance_tree all = {
        .nodes = nodes,
        .node_count = NODES,
        .intervals = {
            .count = 18000, .mean_ns = 25e3, .variance_ns2 = 1, .p50_ns = 12e3, .p99_ns = 318e3}};
    struct variance_tree others = all;
    others.intervals.p99_ns = 317e3;
    struct ledger_line pause = line("collect", F_COMPACT, 0.9, 0);
    struct ledger_line look_up = line("look_up", F_SERVE, 0.99, 0);
    struct root_ledger of_all = {.lines = &pause, .count = 1};
    struct root_ledger of_others = {.lines = &look_up, .count = 1};
    struct outliers outliers = {.count = 1,
                                .part = 0.99,
                                .most_ns = 119000000,
                                .begin_ns = 134000000,
                                .cause = &pause,
                                .cause_ns = 118e6};
    struct report of = {.target = "t", .top = 3, .threshold = 0.05, .functions_timed = 1};
    struct variance_report rest = {.of = &of, .tree = &others, .roots = &of_others};
    struct variance_report report = {
        .of = &of, .tree = &all, .roots = &of_all, .outliers = &outliers, .others = &rest};
    look_up.all.tail_share = 1.012;
    expect_of(&report,
              "The slowest 1 % of t (p99 318 µs, 26.5x p50) are slow because of look_up (s.c:7). "
              "Apart from that, one interval took 119 ms, 134 ms into the run, and has 99 % of the "
              "variance alone: 118 ms of its time go back to collect (s.c:7).");
    look_up.all.tail_share = 0.73;
    outliers.count = 2;
    outliers.least_ns = 60000000;
    expect_of(&report,
              "The slowest 1 % of t (p99 318 µs, 26.5x p50) are slow because of look_up (s.c:7), "
              "which has 73 % of it. Apart from that, 2 intervals took 60.0 ms to 119 ms and have "
              "99 % of the variance alone: 118 ms of their time go back to collect (s.c:7).");
    look_up.kind = OWNER_WAKE_UP;
    expect_of(&report, "The slowest 1 % of t (p99 318 µs, 26.5x p50) are slow: 73 % of it is "
                       "wake-up latency: threads that were woken wait for a processor. Apart from "
                       "that, 2 intervals took 60.0 ms to 119 ms and have 99 % of the variance "
                       "alone: 118 ms of their time go back to collect (s.c:7).");
}

int main(void)
{
    apart();
    by_side();
    through_two_locks();
    where_no_function_does_it();
    pairs();
    return failures != 0;
}
