#include "driver/runs/inferred_report.h"

#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/number.h"
#include "driver/family_variance.h"

bool inferred_report_prepare(struct inferred_report *inferred, struct timelines *run, bool whole)
{
    *inferred = (struct inferred_report){.whole = whole};
    if (whole) {
        inferred->totals.fates[REQUEST_COMPLETE] = requests_fill_whole(run, true);
        return true;
    }
    if (!run->point_hits || !run->point_hits->point_count)
        return false;
    requests_fill(run, &inferred->totals);
    return true;
}

/* ---- the calls ---- */

/* A frame of the program whose function has the name; CONTEXT_NONE: it was never seen. */
static uint32_t frame_of(const struct context_tree *tree, const char *name)
{
    for (uint32_t f = 0; f < tree->frame_count; f++)
        if (strcmp(tree->frames[f].function, name) == 0)
            return f;
    return CONTEXT_NONE;
}

/* Its requests are calls, and not from one point to another. */
static bool is_call(const struct point_hits *hits, const char *type)
{
    for (uint32_t i = 0; i < hits->point_count; i++)
        if (hits->points[i].role == TRACE_POINT_ENTER && strcmp(hits->points[i].name, type) == 0)
            return true;
    return false;
}

static void infer_spans(struct inferred_report *inferred, struct timelines *run,
                        const struct stacks *stacks)
{
    const struct sightings *seen = &stacks->seen;
    uint32_t *functions = memory_zeroed((run->interval_count + 1) * sizeof *functions);
    bool *are = memory_zeroed(seen->tree.frame_count + 1);
    const char *type = NULL;
    uint32_t frame = CONTEXT_NONE;
    for (uint32_t i = 0; i < run->interval_count; i++) {
        if (!inferred->whole && run->intervals[i].type != type) {
            type = run->intervals[i].type;
            frame = is_call(run->point_hits, type) ? frame_of(&seen->tree, type) : CONTEXT_NONE;
        }
        functions[i] = frame;
    }
    for (uint32_t i = 0; i < run->interval_count; i++)
        if (functions[i] != CONTEXT_NONE)
            are[functions[i]] = true;
    const struct moment_roots roots = {&seen->tree, are};
    struct stack_moments *moments = stack_moments_of_run(run, seen, &roots);
    const struct span_sources sources = {&seen->tree, moments, functions};
    span_inference_fill(&inferred->spans, run, &sources);
    stack_moments_release_all(moments, run);
    memory_free(functions);
    memory_free(are);
}

/* ---- what is said of them ---- */

static void note_resolution(struct inferred_report *inferred)
{
    const struct inferred_spans *spans = &inferred->spans;
    double each = spans->intervals ? (double)spans->samples / (double)spans->intervals : 0;
    double known = spans->off ? (double)spans->off_known / (double)spans->off : 1;
    doubts_add(
        &inferred->outcome.notes, DOUBT_OF_CALLS, "inferred-calls",
        "Calls were not timed, but inferred from stacks: %.2g samples a request of what ran, "
        "one each %s; %s of the time that ran lies near one, and of the time that was waited "
        "the stack is known for %s. How long single calls took is a guess, their time in many "
        "requests is not. Rebuilt by `vprofiler iterate` they are exact.",
        each, number_ns((double)spans->period, false).text,
        number_percent(inferred_spans_coverage(spans)).text, number_percent(known).text);
}

/* Fewer than so many change no share by more than chance does (chosen). */
enum { CUT_ONE_IN = 20 };

static void doubt_requests(struct inferred_report *inferred)
{
    const struct request_totals *totals = &inferred->totals;
    uint64_t complete = totals->fates[REQUEST_COMPLETE];
    if (totals->lost)
        doubts_add(&inferred->outcome.doubts, DOUBT_OF_INTERVALS, "hits-lost",
                   "%llu hits of points were lost: requests of that time are left out.",
                   (unsigned long long)totals->lost);
    if (totals->fates[REQUEST_DOUBTFUL] * CUT_ONE_IN > complete)
        doubts_add(&inferred->outcome.doubts, DOUBT_OF_INTERVALS, "requests-cut",
                   "%llu requests beside %llu complete ones are left out, because the recorder "
                   "paused in their time, or hits were lost: long ones are too few. `--kernel on` "
                   "records all the time.",
                   (unsigned long long)totals->fates[REQUEST_DOUBTFUL],
                   (unsigned long long)complete);
    if (totals->unknown * 100 > complete)
        doubts_add(&inferred->outcome.doubts, DOUBT_OF_INTERVALS, "values-unknown",
                   "Of %llu hits of points the value by which a request is told could not be read.",
                   (unsigned long long)totals->unknown);
}

static void fill_report(struct inferred_report *inferred, const char *words)
{
    struct report *report = &inferred->outcome.report;
    report->rounds = 1;
    report->top = OUTCOME_USUAL_TOP;
    report->threshold = OUTCOME_USUAL_THRESHOLD;
    report->inferred = true;
    report->functions_known = report->functions_timed = inferred->spans.functions.function_count;
    report->origin =
        (struct report_origin){.command = words, .clock = inferred->outcome.run->clock};
}

bool inferred_report_make(struct inferred_report *inferred, struct timelines *run,
                          const struct stacks *stacks, const char *words, struct error *error)
{
    if (!inferred->totals.fates[REQUEST_COMPLETE])
        return error_set(error, ERROR_NOTHING,
                         "No request was complete: the points that were asked for were reached %zu "
                         "times. Does the load come to them, and long enough?",
                         run->point_hits->count);
    infer_spans(inferred, run, stacks);
    const struct family_input input = {.run = run, .functions = &inferred->spans.functions};
    inferred->made = results_make(&inferred->results, &input, error);
    if (!inferred->made)
        return false;
    const struct variance_result *variance =
        variance_of(results_of(&inferred->results, &family_variance));
    shown_intervals_make(&inferred->shown, run, &inferred->spans.functions,
                         &variance->tree.intervals);
    outcome_begin(&inferred->outcome, run, &inferred->spans.functions, &inferred->shown);
    fill_report(inferred, words);
    outcome_tell(&inferred->outcome, &inferred->results);
    note_resolution(inferred);
    doubt_requests(inferred);
    outcome_judge(&inferred->outcome);
    return true;
}

void inferred_report_release(struct inferred_report *inferred)
{
    if (inferred->made) {
        shown_intervals_release(&inferred->shown);
        outcome_release(&inferred->outcome);
        results_release(&inferred->results);
    }
    inferred_spans_release(&inferred->spans);
    *inferred = (struct inferred_report){0};
}
