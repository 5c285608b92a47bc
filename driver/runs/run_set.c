#include "driver/runs/run_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "driver/cli/option.h"
#include "driver/runs/kept_programs.h"
#include "driver/runs/mended_file.h"
#include "driver/runs/past_result.h"
#include "trace/timeline_load.h"

/* The values are those of `vprofiler iterate`, for where neither the command line nor a report
 * tells. */

/* ---- one functions.json ---- */

static bool same_text(const char *a, const char *b, bool *same, struct error *error)
{
    struct file_map first, second;
    if (!file_map_open(&first, a, error))
        return false;
    if (!file_map_open(&second, b, error)) {
        file_map_close(&first);
        return false;
    }
    *same = first.size_bytes == second.size_bytes &&
            (first.size_bytes == 0 || memcmp(first.data, second.data, first.size_bytes) == 0);
    file_map_close(&first);
    file_map_close(&second);
    return true;
}

static bool check_same(const struct run_set *set, const char *path, struct error *error)
{
    bool same = false;
    if (!same_text(set->functions_path, path, &same, error))
        return false;
    if (same)
        return true;
    return error_set(error, ERROR_USAGE,
                     "%s and %s differ: these runs are of programs that were instrumented or "
                     "written differently, and their numbers can't be added up. Instrument once "
                     "(vprofiler rewrite, or the last round of one iterate), and run that same "
                     "build everywhere.",
                     set->functions_path, path);
}

static bool choose_functions(struct run_set *set, const char *named, struct error *error)
{
    set->functions_path = named;
    for (uint32_t i = 0; i < set->files.source_count && !named; i++) {
        const struct trace_source *source = &set->files.sources[i];
        if (!source->functions)
            return error_set(error, ERROR_USAGE,
                             "There is no functions.json in %s or beside it: without it the "
                             "functions of the trace have no names. Copy it there from the folder "
                             "that the program was instrumented in, or name it with --functions.",
                             source->path);
        if (!set->functions_path)
            set->functions_path = source->functions;
        else if (!check_same(set, source->functions, error))
            return false;
    }
    return true;
}

/* ---- the traces ---- */

static bool load_groups(struct run_set *set, const char *links, bool lasting, struct error *error)
{
    uint32_t count = set->files.group_count, loaded = 0;
    struct timelines *parts = memory_zeroed(sizeof *parts * count);
    for (; loaded < count; loaded++) {
        const char *folder = trace_files_stage(&set->files, loaded, links, lasting, error);
        if (!folder || !timelines_open(&parts[loaded], folder, error))
            break;
        kept_programs_use(&parts[loaded], folder);
    }
    if (loaded == count)
        return joined_run_make(&set->joined, parts, count, error);
    while (loaded > 0)
        timelines_release(&parts[--loaded]);
    memory_free(parts);
    return false;
}

bool run_set_load(struct run_set *set, const struct run_set_options *options, struct error *error)
{
    static const char *const usual[] = {"vprofiler-out", NULL};
    const char *const *paths = options->paths ? options->paths : usual;
    *set = (struct run_set){0};
    if (!trace_files_find(&set->files, paths, option_count(paths), options->separate, error) ||
        !choose_functions(set, options->functions, error) ||
        !function_table_read(&set->functions, set->functions_path, error))
        return false;
    if (options->links)
        return load_groups(set, options->links, true, error);
    return file_make_temporary(&set->own_links, error) &&
           load_groups(set, set->own_links.data, false, error);
}

/* ---- the report ---- */

/* The text that is later in the alphabet is kept: the order of the sources does not matter. */
static void join_text(const char **all, const char *one)
{
    if (one && (!*all || strcmp(one, *all) > 0))
        *all = one;
}

static void join_count(uint32_t *all, uint32_t one)
{
    if (one > *all)
        *all = one;
}

/* Results are joined into one; of k and d it has the value that shows more. */
static void join_one(struct past_result *all, const struct past_result *one)
{
    join_text(&all->target, one->target);
    join_count(&all->rounds, one->rounds);
    join_count(&all->top, one->top);
    join_count(&all->functions_timed, one->functions_timed);
    if (one->threshold > 0 && (all->threshold <= 0 || one->threshold < all->threshold))
        all->threshold = one->threshold;
    join_text(&all->warnings.latency_shift, one->warnings.latency_shift);
    join_text(&all->warnings.skipped, one->warnings.skipped);
    join_text(&all->warnings.lost_probes, one->warnings.lost_probes);
    join_text(&all->warnings.hot, one->warnings.hot);
    join_text(&all->warnings.stopped, one->warnings.stopped);
}

static struct past_result join_past(struct run_set *set)
{
    struct past_result all = {0}, one;
    for (uint32_t i = 0; i < set->files.source_count; i++) {
        past_result_read(&one, &set->arena, &set->files.sources[i]);
        join_one(&all, &one);
    }
    return set->files.source_count == 1 ? one : all;
}

/* Every host is named once, in order: "alpha, beta". */
static const char *host_names(struct run_set *set)
{
    struct str names = {0};
    const char *last = NULL;
    for (size_t i = 0; i < set->files.count; i++) {
        const char *host = set->files.files[i].host;
        if (last && strcmp(last, host) == 0)
            continue;
        str_printf(&names, "%s%s", last ? ", " : "", host);
        last = host;
    }
    const char *copy = arena_strdup(&set->arena, str_text(&names));
    str_release(&names);
    return copy;
}

static uint32_t count_timed(const struct function_table *functions)
{
    struct hash_map seen = {0};
    for (uint32_t p = 1; p < functions->probe_count; p++)
        if (functions->probes[p].kind == PROBE_FUNCTION)
            *hash_map_put(&seen, functions->probes[p].function) = 1;
    uint32_t count = (uint32_t)seen.count;
    hash_map_release(&seen);
    return count;
}

static struct report_origin new_origin(struct run_set *set, const char *words)
{
    char date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    return (struct report_origin){.command = words,
                                  .host = host_names(set),
                                  .clock = set->joined.run.clock,
                                  .date = arena_strdup(&set->arena, date)};
}

static void fill_report(struct run_set *set, const struct run_set_options *options,
                        const struct past_result *past)
{
    bool alone = past->known && past->origin.command;
    struct report *report = &set->outcome.report;
    set->outcome = (struct outcome){.past = past->warnings};
    outcome_begin(&set->outcome, &set->joined.run, &set->functions, &set->shown);
    if (past->target)
        report->target = past->target;
    report->rounds = past->rounds ? past->rounds : 1;
    report->top = options->k ? options->k : past->top ? past->top : OUTCOME_USUAL_TOP;
    report->threshold = options->threshold > 0 ? options->threshold
                        : past->threshold > 0  ? past->threshold
                                               : OUTCOME_USUAL_THRESHOLD;
    report->functions_timed =
        past->functions_timed ? past->functions_timed : count_timed(&set->functions);
    if (set->files.source_count == 1 && set->files.sources[0].result)
        report->mendings =
            mended_file_read(&set->arena, set->files.sources[0].result, &report->mending_count);
    report->origin = alone ? past->origin : new_origin(set, options->words);
}

bool run_set_analyze(struct run_set *set, const struct run_set_options *options,
                     struct error *error)
{
    const struct family_input input = {.run = &set->joined.run,
                                       .functions = &set->functions,
                                       .without_slowest = options->without_slowest,
                                       .also = options->also};
    if (!results_make(&set->results, &input, error))
        return false;
    set->variance = variance_of(results_of(&set->results, &family_variance));
    shown_intervals_make(&set->shown, &set->joined.run, &set->functions,
                         &set->variance->tree.intervals);
    set->analyzed = true;
    struct past_result past = join_past(set);
    fill_report(set, options, &past);
    outcome_tell(&set->outcome, &set->results);
    outcome_judge(&set->outcome);
    return true;
}

bool run_set_open(struct run_set *set, const struct run_set_options *options, struct error *error)
{
    return run_set_load(set, options, error) && run_set_analyze(set, options, error);
}

void run_set_release(struct run_set *set)
{
    struct error ignored;
    if (set->own_links.length)
        file_remove_tree(set->own_links.data, &ignored);
    str_release(&set->own_links);
    if (set->analyzed) {
        shown_intervals_release(&set->shown);
        outcome_release(&set->outcome);
        results_release(&set->results);
    }
    joined_run_release(&set->joined);
    function_table_release(&set->functions);
    trace_files_release(&set->files);
    arena_release(&set->arena);
}
