#include "variance/comparison.h"

#include <math.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "stats/series.h"
#include "trace/timeline.h"
#include "variance/subject.h"

/* One in twenty of all comparisons may have a row that is wrong. */
#define OUTSIDE 0.05

enum { LATENCY_PARTS = 3, FACTOR_PARTS = 1 }; /* how the outside is shared out */

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
    for (uint32_t f = 0; f < c->options->factors; f++)
        for (int s = 0; s < 2; s++) {
            const struct factor_list *list = c->sides[s].factors;
            if (f >= list->count || list->factors[f].contribution <= 0 ||
                times_nothing(c->sides[s].functions))
                continue;
            struct subject subject = subject_of(&list->factors[f], c->sides[s].tree);
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
    result->of_runs = paired || fewer >= COMPARISON_RUNS;
    result->blocks = jackknife_block_count(result->of_runs ? fewer : (size_t)c->count);
    for (int s = 0; s < 2; s++)
        c->blocks[s] = sample_blocks(&c->samples[s], result->of_runs, result->blocks);
}

/* ---- a metric of one side ---- */

static struct jackknife_sum measure_latency(const struct comparing *c, int side, enum metric metric)
{
    struct series series = {c->samples[side].latency, c->blocks[side]};
    struct jackknife_sum sum;
    series_measure(&series, metric, &sum);
    return sum;
}

/* The total is the function's time in an interval, over all its sites. */
static void measure_total(const struct comparing *c, int side, const struct subject_sites *sites,
                          enum metric metric, struct jackknife_sum *sum)
{
    const struct sample *sample = &c->samples[side];
    int64_t *total = memory_zeroed(sizeof *total * sample->count);
    for (size_t i = 0; i < sites->count; i++)
        for (size_t row = 0; row < sample->count; row++)
            total[row] += sample->columns[sites->columns[i][0]][row];
    series_measure(&(struct series){total, c->blocks[side]}, metric, sum);
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

static struct jackknife_sum measure_factor(const struct comparing *c, int side,
                                           const struct draft *draft, enum metric metric)
{
    struct jackknife_sum sum = {0};
    if (metric == METRIC_VARIANCE && draft->subject.kind == FACTOR_COVARIANCE)
        measure_pair(c, side, &draft->sites[side], &sum);
    else
        measure_total(c, side, &draft->sites[side], metric, &sum);
    return sum;
}

/* ---- rows ---- */

static struct change_rule make_rule(const struct comparing *c, enum metric metric, double outside)
{
    return (struct change_rule){.margin = c->options->margin,
                                .outside = metric < METRIC_JUDGED ? outside : 0,
                                .count = c->count,
                                .blocks = c->result->blocks};
}

static void fill_latency(struct comparing *c)
{
    double parts = c->draft_count ? LATENCY_PARTS + FACTOR_PARTS : LATENCY_PARTS;
    for (enum metric m = 0; m < METRIC_COUNT; m++) {
        struct change_rule rule = make_rule(c, m, OUTSIDE / parts);
        struct jackknife_sum sides[] = {measure_latency(c, 0, m), measure_latency(c, 1, m)};
        c->latency[m] = sides[0];
        change_judge(&c->result->rows[0].changes[m], m, sides, NULL, &rule);
    }
}

static bool metric_applies(const struct draft *draft, enum metric metric)
{
    return metric < METRIC_JUDGED &&
           (draft->subject.kind == FACTOR_VARIANCE || metric == METRIC_VARIANCE);
}

static void begin_row(struct comparing *c, const struct draft *draft, struct comparison_row *row)
{
    const struct subject *subject = &draft->subject;
    row->kind = subject->kind;
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
    struct jackknife_sum sides[] = {measure_factor(c, 0, draft, metric),
                                    measure_factor(c, 1, draft, metric)};
    change_judge(change, metric, sides, &c->latency[metric], &rule);
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
    double outside = OUTSIDE * FACTOR_PARTS / (LATENCY_PARTS + FACTOR_PARTS) / (asked ? asked : 1);
    for (size_t i = 0; i < c->draft_count; i++)
        for (enum metric m = 0; m < METRIC_JUDGED; m++)
            if (rows[i + 1].changes[m].applies)
                fill_factor(c, &c->drafts[i], &rows[i + 1].changes[m], m, outside);
}

static enum verdict worst(const struct comparison_row *row)
{
    enum verdict verdict = VERDICT_NONE;
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        if (row->changes[m].verdict > verdict)
            verdict = row->changes[m].verdict;
    return verdict;
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
    choose_blocks(c);
    fill_latency(c);
    fill_factors(c);
    result->verdict = worst(&result->rows[0]);
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

bool comparison_make(struct comparison *comparison, const struct sample_side sides[2],
                     const struct comparison_options *options, struct error *error)
{
    struct comparing c = {.sides = sides, .options = options, .result = comparison};
    *comparison = (struct comparison){0};
    if (!check(sides, options, error))
        return false;
    timed_functions_init(&c.timed, sides);
    for (int s = 0; s < 2; s++)
        sample_init(&c.samples[s], &sides[s]);
    choose_factors(&c);
    for (int s = 0; s < 2; s++)
        sample_fill(&c.samples[s]);
    c.count = fmin((double)c.samples[0].count, (double)c.samples[1].count);
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
    return ok;
}

void comparison_release(struct comparison *comparison)
{
    memory_free(comparison->rows);
    *comparison = (struct comparison){0};
}
