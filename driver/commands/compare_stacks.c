#include "driver/commands/compare_stacks.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "driver/cli/talk.h"
#include "driver/commands/export_file.h"
#include "driver/commands/proof_recording.h"
#include "driver/runs/outcome.h"
#include "driver/runs/run_folders.h"
#include "driver/runs/stacks_run.h"
#include "report/kit/json_parts.h"
#include "report/stacks/stacks_compare.h"

const char *const compare_stacks_units[] = {"request", "second", "run", NULL};
static const enum change_unit units[] = {CHANGE_A_REQUEST, CHANGE_A_SECOND, CHANGE_A_RUN};

/* What is compared, and what comes of it. */
struct job {
    const char *const *paths;
    const struct compare_stacks_values *values;
    const struct compare_output *output;
    const char *words;
    struct stacks_options options;
    struct run_folders runs[2];
    struct stack_comparison comparison;
    struct proof_changes proven;
    bool unit_known;
};

bool compare_stacks_applies(const char *const paths[2])
{
    bool all = true;
    for (int s = 0; s < 2; s++) {
        struct run_folders runs;
        run_folders_find(&runs, paths[s]);
        all = all && stacks_run_is_result(runs.items[0]) &&
              trace_files_are_kernel_alone(runs.items[0]);
        run_folders_release(&runs);
    }
    return all;
}

/* ---- the sides ---- */

/* What a run does in turns says nothing of how runs differ: it is one block. */
static void choose_unit(struct job *job, const struct side_run *first)
{
    enum change_unit unit = stack_comparison_unit(first);
    for (size_t i = 0; job->values->per && compare_stacks_units[i]; i++)
        if (strcmp(job->values->per, compare_stacks_units[i]) == 0)
            unit = units[i];
    job->comparison.unit = unit;
    job->comparison.blocks = unit == CHANGE_A_RUN ? 1 : CHANGE_BLOCKS;
    job->proven.requests = unit == CHANGE_A_REQUEST;
    job->unit_known = true;
}

/* What `--prove` measured beside the result. */
static void add_proof(struct job *job, int side, const char *path, struct stacks *stacks)
{
    struct proof_recording recording;
    proof_recording_open(&recording, path, stacks);
    if (stacks->proof)
        proof_changes_add(&job->proven, side, stacks->proof);
    stacks->proof = NULL;
    proof_recording_release(&recording);
}

static bool add_run(struct job *job, int side, const char *path, struct error *error)
{
    struct stacks_run run;
    bool ok = stacks_run_open(&run, path, &job->options, error);
    if (!ok) {
        stacks_run_release(&run);
        return false;
    }
    const struct side_run of = stacks_run_side(run.stacks);
    if (!job->unit_known)
        choose_unit(job, &of);
    if (!stack_comparison_add(&job->comparison, side, &of, NULL))
        ok = error_set(error, ERROR_NOTHING,
                       "%s has fewer than %u requests that were recorded whole: --per second, or "
                       "--per run, compares without them.",
                       path, job->comparison.blocks);
    else
        add_proof(job, side, path, run.stacks);
    stacks_run_release(&run);
    return ok;
}

static bool add_side(struct job *job, int side, struct error *error)
{
    for (size_t r = 0; r < job->runs[side].count; r++) {
        talk_phase("%s: %s", side ? "B" : "A", job->runs[side].items[r]);
        if (!add_run(job, side, job->runs[side].items[r], error))
            return false;
    }
    return true;
}

/* ---- what comes out ---- */

static bool write_text(const struct job *job, const struct stacks_compare *told,
                       struct error *error)
{
    struct text_style style = {.utf8 = true, .columns = TERMINAL_USUAL_COLUMNS};
    struct terminal terminal;
    FILE *out = export_file_open(job->output->path, error);
    if (!out)
        return false;
    if (!job->output->path)
        style = outcome_terminal_style();
    terminal_init(&terminal, &style, out);
    stacks_compare_text(told, &terminal);
    terminal_release(&terminal);
    return export_file_close(out, job->output->path, error);
}

static bool write_file(const struct job *job, const struct stacks_compare *told,
                       struct error *error)
{
    struct str text = {0};
    if (job->output->format == COMPARE_HTML) {
        stacks_compare_html(told, &text);
    } else {
        json_write(stacks_compare_json(told), JSON_INDENT(1), &text);
        str_append_char(&text, '\n');
    }
    bool ok = export_file_write(&text, job->output->path, error);
    str_release(&text);
    return ok;
}

static bool tell(struct job *job, struct error *error)
{
    struct doubts doubts = {0};
    char date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    struct stacks_compare told = {.comparison = &job->comparison,
                                  .proven = &job->proven,
                                  .names = {job->paths[0], job->paths[1]},
                                  .mended = job->values->mended,
                                  .doubts = &doubts,
                                  .origin = {.command = job->words, .date = date}};
    stacks_compare_judge(&told, &doubts);
    talk_pause();
    bool ok = job->output->format == COMPARE_TEXT ? write_text(job, &told, error)
                                                  : write_file(job, &told, error);
    doubts_release(&doubts);
    return ok;
}

static void judge(const struct stack_comparison *comparison, struct compare_stacks_verdict *verdict)
{
    const struct unit_change *whole = &comparison->whole;
    double worse = verdict->margin * whole->own[0];
    bool known = comparison->unit != CHANGE_A_SECOND;
    verdict->worse = known && isfinite(whole->half) && whole->change - whole->half > worse;
    verdict->may_be = known && !(isfinite(whole->half) && whole->change + whole->half <= worse);
}

static bool compare_sides(struct job *job, struct compare_stacks_verdict *verdict,
                          struct error *error)
{
    if (!add_side(job, 0, error) || !add_side(job, 1, error))
        return false;
    stack_comparison_make(&job->comparison);
    proof_changes_make(&job->proven);
    judge(&job->comparison, verdict);
    return tell(job, error);
}

bool compare_stacks(const char *const paths[2], const struct compare_stacks_values *values,
                    const struct compare_output *output, const char *words,
                    struct compare_stacks_verdict *verdict, struct error *error)
{
    struct job job = {.paths = paths, .values = values, .output = output, .words = words};
    if (output->format == COMPARE_GITHUB || output->format == COMPARE_JUNIT)
        return error_set(error, ERROR_USAGE,
                         "Contexts of %s and %s are compared as text, json or html.", paths[0],
                         paths[1]);
    if (!layer_names_take(values->layers, &job.options.layers, error))
        return false;
    for (int s = 0; s < 2; s++)
        run_folders_find(&job.runs[s], paths[s]);
    bool ok = compare_sides(&job, verdict, error);
    for (int s = 0; s < 2; s++)
        run_folders_release(&job.runs[s]);
    stack_comparison_release(&job.comparison);
    proof_changes_release(&job.proven);
    return ok;
}
