/* variance/shown_rows.h: some rows that stand for all, each of them the one of the table. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "run_builder.h"
#include "variance/shown_rows.h"

enum { MANY = 20000, FEW = 900, MOST_NODES = 64 };

static int failures;
static struct run_builder b;
static struct variance_result result;
static struct shown_rows shown;

static void expect(const char *what, bool holds)
{
    if (holds)
        return;
    printf("%s\n", what);
    failures++;
}

/* A request parses for a while, and one in fifty looks something up for long; one in a hundred is
 * of a rare type. */
static void build(uint32_t count)
{
    run_builder_init(&b);
    uint32_t parse = run_builder_function(&b, "parse", true);
    uint32_t look_up = run_builder_function(&b, "look_up", true);
    uint32_t p = run_builder_probe(&b, PROBE_FUNCTION, parse, FUNCTION_NONE);
    uint32_t l = run_builder_probe(&b, PROBE_FUNCTION, look_up, FUNCTION_NONE);
    uint32_t thread = run_builder_thread(&b, 7);
    time_ns now = 0;
    for (uint32_t i = 0; i < count; i++) {
        time_ns parsed = 1000 + i * 7919 % 1000, looked = i % 50 ? 0 : 20000 + i * 104729 % 300;
        time_ns end = now + parsed + looked + 10;
        uint32_t interval = run_builder_interval(&b, thread, now, thread, end);
        b.run.intervals[interval].type = i % 100 == 3 ? "rare" : "usual";
        run_builder_label(&b, thread, now, interval);
        run_builder_enter(&b, thread, now, p, 0);
        run_builder_leave(&b, thread, now + parsed);
        if (looked) {
            run_builder_enter(&b, thread, now + parsed, l, 0);
            run_builder_leave(&b, thread, now + parsed + looked);
        }
        run_builder_label(&b, thread, end, INTERVAL_NONE);
        now = end + 5;
    }
}

static void show(uint32_t without)
{
    struct error error;
    expect("it can be analysed",
           variance_analyze_without(&result, &b.run, &b.table, without, &error));
    shown_rows_init(&shown, &result.tree, &b.run, &b.table, without,
                    &result.tree.intervals.histogram);
}

static void release(void)
{
    shown_rows_release(&shown);
    variance_result_release(&result);
    run_builder_release(&b);
}

static int64_t sum_of(const struct shown_row *row)
{
    int64_t sum = 0;
    for (size_t c = 0; c < row->cell_count; c++)
        sum += shown.cells[row->first_cell + c].own_ns;
    return sum;
}

/* A row is looked up by where it begins. */
struct search {
    uint32_t next; /* row */
    uint32_t found;
};

static void find_row(void *context, const struct cell_row *row)
{
    struct search *search = context;
    const struct interval *interval = &b.run.intervals[row->interval];
    if (search->next == shown.count || shown.rows[search->next].begin_ns != interval->begin)
        return;
    const struct shown_row *mine = &shown.rows[search->next++];
    bool same = mine->cell_count == row->cell_count &&
                mine->latency_ns == interval->end - interval->begin &&
                strcmp(result.tree.intervals.types[mine->type].name, interval->type) == 0;
    for (size_t c = 0; same && c < row->cell_count; c++)
        same = shown.cells[mine->first_cell + c].node == row->cells[c].node &&
               shown.cells[mine->first_cell + c].own_ns == row->cells[c].own_ns;
    search->found += same;
}

static void rows_are_those_of_the_table(void)
{
    struct search search = {0};
    bool add_up = true;
    for (uint32_t r = 0; r < shown.count; r++)
        add_up = add_up && sum_of(&shown.rows[r]) == shown.rows[r].latency_ns;
    expect("the cells of a row add up to its latency", add_up);
    cell_rows_visit(&result.tree, &b.run, &b.table, find_row, &search);
    expect("each row is one of the table", search.found == shown.count);
}

static uint32_t bin_of(time_ns latency)
{
    const struct histogram *h = &result.tree.intervals.histogram;
    uint32_t bin = 0;
    while (bin + 1 < h->bin_count && h->edges[bin + 1] <= latency)
        bin++;
    return bin;
}

/* So many intervals are stood for in each bin, and of each type. */
static void counts_are_those_of_all(void)
{
    const struct interval_summary *intervals = &result.tree.intervals;
    double bins[HISTOGRAM_BINS] = {0}, types[2] = {0};
    uint64_t slow = 0, kept = 0;
    for (uint32_t r = 0; r < shown.count; r++) {
        const struct shown_row *row = &shown.rows[r];
        const struct stratum *stratum = &shown.strata[row->stratum];
        double weight = (double)stratum->count / stratum->kept;
        bins[bin_of(row->latency_ns)] += weight;
        types[row->type] += weight;
        slow += (double)row->latency_ns >= intervals->p99_ns;
    }
    for (uint32_t bin = 0; bin < intervals->histogram.bin_count; bin++)
        expect("a bin has as many as it has",
               (uint64_t)(bins[bin] + 0.5) == intervals->histogram.counts[bin]);
    for (uint32_t t = 0; t < intervals->type_count; t++)
        expect("a type has as many as it has",
               (uint64_t)(types[t] + 0.5) == intervals->types[t].count);
    for (uint32_t s = 0; s < shown.stratum_count; s++)
        kept += shown.strata[s].kept;
    expect("as many rows as are kept", kept == shown.count);
    expect("all slow ones are there", slow == intervals->tail_count);
}

static void many_are_sampled(void)
{
    build(MANY);
    show(0);
    expect("no more than there is room for, by much",
           shown.count <= SHOWN_ROWS_MOST + shown.stratum_count && shown.count > 500);
    rows_are_those_of_the_table();
    counts_are_those_of_all();
    release();
}

/* Of a few, all are there: then they add up to the tree, too. */
static void few_are_all(void)
{
    int64_t sums[MOST_NODES] = {0};
    build(FEW);
    show(0);
    expect("all are there", shown.count == FEW);
    rows_are_those_of_the_table();
    counts_are_those_of_all();
    for (uint32_t r = 0; r < shown.count; r++)
        for (size_t c = 0; c < shown.rows[r].cell_count; c++)
            sums[shown.cells[shown.rows[r].first_cell + c].node] +=
                shown.cells[shown.rows[r].first_cell + c].own_ns;
    for (uint32_t n = 0; n < result.tree.node_count; n++)
        if (result.tree.nodes[n].first_child == NODE_NONE)
            expect("a leaf has its sum", sums[n] == (int64_t)result.tree.nodes[n].moments.sum);
    release();
}

static void outliers_are_left_out(void)
{
    build(FEW);
    show(3);
    expect("three are left out", shown.count == FEW - 3);
    for (uint32_t r = 0; r < shown.count; r++)
        expect("none is slower than all", shown.rows[r].latency_ns <= result.tree.intervals.max_ns);
    release();
}

int main(void)
{
    many_are_sampled();
    few_are_all();
    outliers_are_left_out();
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
