#include "variance/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "stats/series.h"
#include "trace/timeline.h"
#include "variance/subject.h"

/* One in twenty of all comparisons may have a row that is wrong. */
#define OUTSIDE 0.05

/* The outside is shared out in sixteenths: twelve are the latency's, two the factors', one each the
 * tree's and the root ledger's. Where no function is timed all is the latency's. */
enum { LATENCY_PARTS = 12, FACTOR_PARTS = 2, TREE_PARTS = 1, ROOT_PARTS = 1 };

/* A draft is a row in the making. */
struct draft {
    struct subject subject;
    struct subject_sites sites[2];
};

struct comparing {
    const struct sample_side *sides;
    const struct comparison_options *options;
    struct comparison *result;
    struct sample samples[2];
    struct blocks blocks[2];
    struct timed_functions timed;
    struct shared_names shared;
    struct draft *drafts; /* of rows[1] on */
    size_t draft_count, draft_capacity;
    struct jackknife_sum latency[METRIC_COUNT]; /* of A */
    double count;                               /* of the side that has fewer */
};

/* ---- the sides can be compared ---- */

static const char *first_marked(const struct function_table *functions)
{
    for (uint32_t f = 0; f < functions->function_count; f++)
        if (functions->functions[f].marks)
            return functions->functions[f].name;
    return NULL;
}

static bool marks_the_same(const struct function_table *a, const struct function_table *b)
{
    for (uint32_t f = 0; f < a->function_count; f++)
        for (uint32_t g = 0; g < b->function_count && a->functions[f].marks; g++)
            if (b->functions[g].marks && strcmp(a->functions[f].name, b->functions[g].name) == 0)
                return true;
    return false;
}

static bool has_type(const struct interval_summary *intervals, const char *name)
{
    for (uint32_t t = 0; t < intervals->type_count; t++)
        if (strcmp(intervals->types[t].name, name) == 0)
            return true;
    return false;
}

static bool types_differ(const struct interval_summary *a, const struct interval_summary *b)
{
    if (!a->type_count || !b->type_count)
        return false;
    for (uint32_t t = 0; t < a->type_count; t++)
        if (has_type(b, a->types[t].name))
            return false;
    return true;
}

static bool check(const struct sample_side sides[2], const struct comparison_options *options,
                  struct error *error)
{
    const struct function_table *a = sides[0].functions, *b = sides[1].functions;
    const char *marked[2] = {first_marked(a), first_marked(b)};
    const struct interval_summary *of_a = &sides[0].tree->intervals;
    const struct interval_summary *of_b = &sides[1].tree->intervals;
    if (marked[0] && marked[1] && !marks_the_same(a, b))
        return error_set(error, ERROR_USAGE,
                         "These are not the same intervals: A's are marked in %s, B's in %s. Mark "
                         "the same stretch of work in both.",
                         marked[0], marked[1]);
    if (types_differ(of_a, of_b))
        return error_set(error, ERROR_USAGE,
                         "These are not the same intervals: A's are of type %s, B's of type %s, "
                         "and none is of both. Send both the same requests.",
                         of_a->types[0].name, of_b->types[0].name);
    if (strcmp(sides[0].run->clock, sides[1].run->clock) != 0)
        return error_set(error, ERROR_USAGE,
                         "A was recorded with the clock %s, B with %s: probes cost more with one "
                         "than with the other. Record both on one machine.",
                         sides[0].run->clock, sides[1].run->clock);
    if (options->paired && sides[0].run_count != sides[1].run_count)
        return error_set(error, ERROR_USAGE,
                         "There are no pairs of runs: A has %u, B %u. Leave out those without a "
                         "partner, or leave out --paired.",
                         sides[0].run_count, sides[1].run_count);
    return true;
}

/* ---- the choice of factors ---- */

static void add_draft(struct comparing *c, const struct subject *subject)
{
    for (size_t i = 0; i < c->draft_count; i++)
        if (subject_same(&c->drafts[i].subject, subject))
            return;
    VEC_PUSH(c->drafts, c->draft_count, c->draft_capacity) = (struct draft){.subject = *subject};
}

/* A side that times nothing calls the latency a factor again. */
static bool times_nothing(const struct function_table *functions)
{
    return functions->probe_count <= 1;
}

/* The factors are taken from both sides by turns, so that the first of each stand first. */
static void choose_factors(struct comparing *c)
{
    if (c->result->nothing_in_common)
        return;
    for (uint32_t f = 0; f < c->options->factors; f++)
        for (int s = 0; s < 2; s++) {
            const struct factor_list *list = c->sides[s].factors;
            if (f >= list->count || list->factors[f].contribution <= 0 ||
                times_nothing(c->sides[s].functions))
                continue;
            struct subject subject = subject_of(&list->factors[f], c->sides[s].tree, &c->shared);
            add_draft(c, &subject);
        }
    for (size_t i = 0; i < c->draft_count; i++)
        for (int s = 0; s < 2; s++)
            subject_find(&c->drafts[i].subject, &c->samples[s], &c->drafts[i].sites[s]);
}

/* ---- blocks ---- */

static void choose_blocks(struct comparing *c)
{
    uint32_t a = c->sides[0].run_count, b = c->sides[1].run_count, fewer = a < b ? a : b;
    bool paired = c->options->paired && a > 1;
    struct comparison *result = c->result;
    c->count = fmin((double)c->samples[0].count, (double)c->samples[1].count);
    result->of_runs = paired || fewer >= COMPARISON_RUNS;
    result->blocks = jackknife_block_count(result->of_runs ? fewer : (size_t)c->count);
}

static void fill_samples(struct comparing *c)
{
    for (int s = 0; s < 2; s++) {
        sample_watch_nodes(&c->samples[s], c->result->of_runs, c->result->blocks);
        sample_fill(&c->samples[s]);
    }
}

/* ---- a metric of one side ---- */

struct measured {
    struct jackknife_sum sums[2]; /* of A and of B */
    struct quantile_reach reach[2];
};

static void measure_latency(const struct comparing *c, int side, enum metric metric,
                            struct measured *measured)
{
    struct series series = {c->samples[side].latency, c->blocks[side]};
    series_measure(&series, metric, &measured->sums[side], &measured->reach[side]);
}

/* The total is the function's time in an interval, over all its sites. */
static void measure_total(const struct comparing *c, int side, const struct subject_sites *sites,
                          enum metric metric, struct measured *measured)
{
    const struct sample *sample = &c->samples[side];
    int64_t *total = memory_zeroed(sizeof *total * sample->count);
    for (size_t i = 0; i < sites->count; i++)
        for (size_t row = 0; row < sample->count; row++)
            total[row] += sample->columns[sites->columns[i][0]][row];
    struct series series = {total, c->blocks[side]};
    series_measure(&series, metric, &measured->sums[side], &measured->reach[side]);
    memory_free(total);
}

/* A pair is measured at its callers, and where its sites exclude each other
 * (variance/pair_sites.h). */
static void measure_pair(const struct comparing *c, int side, const struct subject_sites *sites,
                         struct jackknife_sum *sum)
{
    const struct sample *sample = &c->samples[side];
    for (size_t i = 0; i < sites->count; i++)
        blocked_covariance(sample->columns[sites->columns[i][0]],
                           sample->columns[sites->columns[i][1]], &c->blocks[side], 2, sum);
}

static void measure_factor(const struct comparing *c, int side, const struct draft *draft,
                           enum metric metric, struct measured *measured)
{
    if (metric == METRIC_VARIANCE && draft->subject.kind == FACTOR_COVARIANCE)
        measure_pair(c, side, &draft->sites[side], &measured->sums[side]);
    else
        measure_total(c, side, &draft->sites[side], metric, measured);
}

/* ---- rows ---- */

static struct change_rule make_rule(const struct comparing *c, enum metric metric, double outside)
{
    return (struct change_rule){.margin = c->options->margin,
                                .outside = metric < METRIC_JUDGED ? outside : 0,
                                .count = c->count,
                                .blocks = c->result->blocks};
}

static double outside_of(const struct comparing *c, int parts)
{
    bool timed = !c->result->nothing_in_common &&
                 (!times_nothing(c->sides[0].functions) || !times_nothing(c->sides[1].functions));
    int all = LATENCY_PARTS + (timed ? FACTOR_PARTS + TREE_PARTS + ROOT_PARTS : 0);
    return OUTSIDE * parts / all;
}

static void fill_latency(struct comparing *c)
{
    for (enum metric m = 0; m < METRIC_COUNT; m++) {
        struct change_rule rule = make_rule(c, m, outside_of(c, LATENCY_PARTS) / METRIC_JUDGED);
        struct measured measured;
        for (int s = 0; s < 2; s++)
            measure_latency(c, s, m, &measured);
        rule.reach = measured.reach;
        c->latency[m] = measured.sums[0];
        change_judge(&c->result->rows[0].changes[m], m, measured.sums, NULL, &rule);
    }
}

static bool metric_applies(const struct draft *draft, enum metric metric)
{
    return metric < METRIC_JUDGED &&
           (draft->subject.kind == FACTOR_VARIANCE || metric == METRIC_VARIANCE);
}

static void place_row(const struct comparing *c, const struct subject *subject,
                      struct comparison_row *row)
{
    row->file = "";
    for (int s = 0; s < 2; s++) {
        const struct tree_node *node = subject_node(subject, c->sides[s].tree);
        if (!node || !*node->file)
            continue;
        row->file = node->file;
        row->line = node->line;
    }
}

static void begin_row(struct comparing *c, const struct draft *draft, struct comparison_row *row)
{
    const struct subject *subject = &draft->subject;
    row->kind = subject->kind;
    place_row(c, subject, row);
    for (int i = 0; i < 2; i++) {
        row->names[i] = subject->names[i];
        row->blind[i] = subject_blind(subject, c->sides, i, &c->timed);
    }
    for (enum metric m = 0; m < METRIC_COUNT; m++)
        row->changes[m].applies = metric_applies(draft, m) && !row->blind[0] && !row->blind[1];
}

static void fill_factor(const struct comparing *c, const struct draft *draft, struct change *change,
                        enum metric metric, double outside)
{
    struct change_rule rule = make_rule(c, metric, outside);
    struct measured measured = {.sums = {{0}}};
    for (int s = 0; s < 2; s++)
        measure_factor(c, s, draft, metric, &measured);
    rule.reach = measured.reach;
    change_judge(change, metric, measured.sums, &c->latency[metric], &rule);
}

static void fill_factors(struct comparing *c)
{
    struct comparison_row *rows = c->result->rows;
    unsigned asked = 0;
    for (size_t i = 0; i < c->draft_count; i++) {
        begin_row(c, &c->drafts[i], &rows[i + 1]);
        for (enum metric m = 0; m < METRIC_JUDGED; m++)
            asked += rows[i + 1].changes[m].applies;
    }
    double outside = outside_of(c, FACTOR_PARTS) / (asked ? asked : 1);
    for (size_t i = 0; i < c->draft_count; i++)
        for (enum metric m = 0; m < METRIC_JUDGED; m++)
            if (rows[i + 1].changes[m].applies)
                fill_factor(c, &c->drafts[i], &rows[i + 1].changes[m], m, outside);
}

/* The root's change is the latency's. */
static void fill_difference(struct comparing *c)
{
    if (c->result->nothing_in_common)
        return;
    const struct jackknife_sum latency[DIFFERENCE_WAYS] = {c->latency[METRIC_MEAN],
                                                           c->latency[METRIC_VARIANCE]};
    const struct change *changes = c->result->rows[0].changes;
    struct difference_side sides[2];
    struct change_rule rule = make_rule(c, METRIC_MEAN, outside_of(c, TREE_PARTS));
    for (int s = 0; s < 2; s++)
        sides[s] = (struct difference_side){&c->sides[s], &c->samples[s].nodes};
    struct difference *difference = &c->result->difference;
    difference_make(difference, sides, &c->timed, &c->shared, latency, &rule);
    rule.outside = outside_of(c, ROOT_PARTS);
    root_difference_make(&c->result->roots, sides, &c->timed, latency, &rule);
    difference->nodes[0].changes[DIFFERENCE_MEAN] = changes[METRIC_MEAN];
    difference->nodes[0].changes[DIFFERENCE_VARIANCE] = changes[METRIC_VARIANCE];
}

static int ascending(const void *a, const void *b)
{
    int64_t s = *(const int64_t *)a, t = *(const int64_t *)b;
    return s < t ? -1 : s > t;
}

/* The bins are those of both sides' latencies together. */
static void fill_histograms(struct comparing *c)
{
    size_t counts[2] = {c->samples[0].count, c->samples[1].count};
    int64_t *both = memory_alloc(sizeof *both * (counts[0] + counts[1]));
    struct histogram bins;
    memcpy(both, c->samples[0].latency, sizeof *both * counts[0]);
    memcpy(both + counts[0], c->samples[1].latency, sizeof *both * counts[1]);
    qsort(both, counts[0] + counts[1], sizeof *both, ascending);
    histogram_build(&bins, both, counts[0] + counts[1]);
    memset(bins.counts, 0, sizeof bins.counts);
    for (int s = 0; s < 2; s++) {
        c->result->histograms[s] = bins;
        histogram_count(&c->result->histograms[s], c->samples[s].latency, counts[s]);
    }
    memory_free(both);
}

static unsigned count_verdicts(const struct comparison_row *row, enum verdict verdict)
{
    unsigned count = 0;
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        count += row->changes[m].verdict == verdict;
    return count;
}

static enum verdict overall(const struct comparison_row *row)
{
    if (count_verdicts(row, VERDICT_WORSE))
        return VERDICT_WORSE;
    if (count_verdicts(row, VERDICT_BETTER))
        return VERDICT_BETTER;
    bool all = count_verdicts(row, VERDICT_SAME) == METRIC_JUDGED;
    return all ? VERDICT_SAME : VERDICT_INCONCLUSIVE;
}

static bool may_be_worse(const struct comparison_row *row)
{
    bool may = false;
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        may |= row->changes[m].verdict != VERDICT_WORSE && !row->changes[m].not_worse;
    return may;
}

/* Lag-1 correlation of what the blocks' means changed by; of 100 series without memory one has
 * more. */
static bool drifts(const struct comparing *c)
{
    struct jackknife_sum means[2] = {{.all = 0}, {.all = 0}};
    uint32_t blocks = c->result->blocks;
    double apart[JACKKNIFE_BLOCKS], mean = 0, squares = 0, products = 0;
    for (int s = 0; s < 2; s++)
        blocked_mean(c->samples[s].latency, &c->blocks[s], &means[s]);
    for (uint32_t b = 0; b < blocks; b++) {
        apart[b] = means[1].left_out[b] - means[0].left_out[b];
        mean += apart[b] / blocks;
    }
    for (uint32_t b = 0; b < blocks; b++) {
        squares += (apart[b] - mean) * (apart[b] - mean);
        if (b > 0)
            products += (apart[b] - mean) * (apart[b - 1] - mean);
    }
    return blocks >= 10 && products > 2.33 / sqrt(blocks) * squares;
}

static void fill_result(struct comparing *c)
{
    struct comparison *result = c->result;
    result->margin = c->options->margin;
    for (int s = 0; s < 2; s++) {
        result->intervals[s] = c->samples[s].count;
        result->runs[s] = c->sides[s].run_count;
    }
    result->row_count = (uint32_t)c->draft_count + 1;
    result->rows = memory_zeroed(sizeof *result->rows * result->row_count);
    result->timed_in_one = c->timed.one_side;
    result->timed_in_one_name = c->timed.one_side_name;
    for (int s = 0; s < 2; s++)
        c->blocks[s] = sample_blocks(&c->samples[s], result->of_runs, result->blocks);
    fill_latency(c);
    fill_factors(c);
    fill_difference(c);
    fill_histograms(c);
    result->verdict = overall(&result->rows[0]);
    result->may_be_worse = may_be_worse(&result->rows[0]);
    result->drifts = drifts(c);
}

static bool check_runs(const struct comparing *c, struct error *error)
{
    for (int s = 0; s < 2; s++)
        for (uint32_t r = 0; r < c->sides[s].run_count; r++)
            if (c->samples[s].run_first[r] == c->samples[s].run_first[r + 1])
                return error_set(error, ERROR_NOTHING,
                                 "Run %u of %s has no complete interval, others have. Leave it "
                                 "out, or let it run for longer.",
                                 r + 1, s ? "B" : "A");
    return true;
}

#define STARVED_PART 0.05 /* of the time in which threads had or wanted a processor (chosen) */

/* A side whose threads waited longer for a processor is slower, whatever its program does. */
static enum starved find_starved(const double waited[2])
{
    int most = waited[1] > waited[0];
    if (waited[!most] < 0 || waited[most] < waited[!most] + STARVED_PART)
        return STARVED_NONE;
    return most ? STARVED_B : STARVED_A;
}

bool comparison_make(struct comparison *comparison, const struct sample_side sides[2],
                     const struct comparison_options *options, struct error *error)
{
    struct comparing c = {.sides = sides, .options = options, .result = comparison};
    *comparison = (struct comparison){0};
    if (!check(sides, options, error))
        return false;
    timed_functions_init(&c.timed, sides);
    shared_names_init(&c.shared, sides[0].tree, sides[1].tree);
    comparison->nothing_in_common =
        !c.timed.both && !times_nothing(sides[0].functions) && !times_nothing(sides[1].functions);
    for (int s = 0; s < 2; s++) {
        sample_init(&c.samples[s], &sides[s]);
        comparison->waited[s] = sides[s].waited;
    }
    comparison->starved = find_starved(comparison->waited);
    choose_factors(&c);
    choose_blocks(&c);
    fill_samples(&c);
    bool ok = check_runs(&c, error);
    if (ok)
        fill_result(&c);
    for (int s = 0; s < 2; s++) {
        sample_release(&c.samples[s]);
        for (size_t i = 0; i < c.draft_count; i++)
            memory_free(c.drafts[i].sites[s].columns);
    }
    memory_free(c.drafts);
    timed_functions_release(&c.timed);
    shared_names_release(&c.shared);
    return ok;
}

void comparison_release(struct comparison *comparison)
{
    memory_free(comparison->rows);
    difference_release(&comparison->difference);
    root_difference_release(&comparison->roots);
    *comparison = (struct comparison){0};
}
