#include "driver/commands/growth_stacks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "driver/cli/talk.h"
#include "driver/commands/watched_program.h"
#include "driver/runs/outcome.h"
#include "driver/runs/run_folders.h"
#include "driver/runs/stacks_run.h"
#include "report/stacks/stacks_growth.h"
#include "stacks/request_set.h"
#include "stacks/size_groups.h"
#include "stacks/stack_comparison.h"

struct job {
    struct stacks_options options;
    struct context_growth growth;
    struct arena arena; /* of the names */
    const char **names;
    size_t count, capacity;
};

static bool add_run(struct job *job, double size, const char *path, struct error *error)
{
    struct stacks_run run;
    bool ok = stacks_run_open(&run, path, &job->options, error);
    if (ok) {
        const struct side_run of = stacks_run_side(run.stacks);
        if (!job->count)
            job->growth.unit = stack_comparison_unit(&of);
        ok = context_growth_add(&job->growth, size, &of, NULL) ||
             error_set(error, ERROR_NOTHING, "%s has no requests, as the first run has.", path);
    }
    if (ok)
        VEC_PUSH(job->names, job->count, job->capacity) = arena_strdup(&job->arena, path);
    stacks_run_release(&run);
    return ok;
}

static bool add_size(struct job *job, const char *value, struct error *error)
{
    char *end;
    struct run_folders runs;
    double size = strtod(value, &end);
    if (end == value || *end != '=' || !end[1] || !isfinite(size) || size <= 0)
        return error_set(error, ERROR_USAGE,
                         "--growth wants SIZE=RESULT with a size of more than 0, not '%s'. For "
                         "example: --growth 5000=small --growth 10000=middle --growth 20000=large",
                         value);
    run_folders_find(&runs, end + 1);
    bool ok = true;
    for (size_t r = 0; ok && r < runs.count; r++) {
        talk_phase("size %.6g: %s", size, runs.items[r]);
        ok = add_run(job, size, runs.items[r], error);
    }
    run_folders_release(&runs);
    return ok;
}

static void print(const struct stacks_growth *told, bool json)
{
    talk_pause();
    if (json) {
        watched_print_json(stacks_growth_json(told));
        return;
    }
    struct text_style style = outcome_terminal_style();
    struct terminal terminal;
    terminal_init(&terminal, &style, stdout);
    stacks_growth_text(told, &terminal);
    terminal_release(&terminal);
}

static void release(struct job *job)
{
    context_growth_release(&job->growth);
    memory_free(job->names);
    arena_release(&job->arena);
}

bool growth_stacks_tell(const char *const *values, unsigned layers, bool json, struct error *error)
{
    struct job job = {.options = {.layers = layers}};
    bool ok = true;
    for (; ok && *values; values++)
        ok = add_size(&job, *values, error);
    if (ok && !context_growth_make(&job.growth))
        ok = error_set(error, ERROR_USAGE,
                       "How something grows takes runs of %d sizes at the least, each given as "
                       "--growth SIZE=RESULT.",
                       GROWTH_SIZES);
    if (ok)
        print(&(struct stacks_growth){.growth = &job.growth, .names = job.names}, json);
    release(&job);
    return ok;
}

/* ---- of the requests of one run ---- */

static void name_groups(struct job *job, const struct size_groups *groups)
{
    struct str name = {0};
    for (uint32_t i = 0; i < groups->count; i++) {
        const struct size_group *group = &groups->items[i];
        str_clear(&name);
        str_printf(&name, "%u request%s of %" PRId64, group->requests,
                   number_plural(group->requests), group->from);
        if (group->to != group->from)
            str_printf(&name, " .. %" PRId64, group->to);
        VEC_PUSH(job->names, job->count, job->capacity) = arena_strdup(&job->arena, name.data);
    }
    str_release(&name);
}

static bool add_groups(struct job *job, struct stacks *stacks, const struct size_groups *groups)
{
    const struct side_run run = stacks_run_side(stacks);
    bool ok = true;
    job->growth.unit = CHANGE_A_REQUEST;
    for (uint32_t i = 0; ok && i < groups->count; i++)
        ok = context_growth_add(&job->growth, groups->items[i].size, &run, groups->items[i].chosen);
    name_groups(job, groups);
    return ok && context_growth_make(&job->growth);
}

bool growth_stacks_tell_by(const struct watched_traces *at, struct stacks *stacks,
                           const char *value, bool json, struct error *error)
{
    struct job job = {0};
    struct size_groups groups;
    bool ok = size_groups_choose(&groups, stacks->run, value);
    if (!ok)
        error_set(error, ERROR_NOTHING,
                  "No request of %s has a value %s above 0. SI_VALUE(id, \"%s\", n) gives one, and "
                  "those of --descriptor have " REQUEST_BYTES ".",
                  at->result_name, value, value);
    else if (!(ok = add_groups(&job, stacks, &groups)))
        error_set(error, ERROR_NOTHING,
                  "How something grows takes requests of %d sizes at the least, %d of each. Of %u "
                  "that have %s there are %u.",
                  GROWTH_SIZES, SIZE_GROUP_LEAST, groups.sized, value, groups.count);
    else
        print(&(struct stacks_growth){&job.growth, job.names, value}, json);
    size_groups_release(&groups);
    release(&job);
    return ok;
}
