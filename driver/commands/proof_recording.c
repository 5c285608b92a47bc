#include "driver/commands/proof_recording.h"

#include "base/file.h"
#include "driver/cli/talk.h"
#include "driver/workbench/attached_run.h"
#include "driver/workbench/process.h"
#include "driver/workbench/recorded_run.h"
#include "stacks/request_fill.h"
#include "trace/timeline_load.h"

static void path_of(const char *result, const char *name, struct str *path)
{
    str_printf(path, "%s/proof/%s", result, name);
}

/* ---- recording ---- */

static bool record(const struct proof_wish *wish, const struct point_plan *plan, const char *result,
                   struct error *error)
{
    const struct watched_values *values = wish->values;
    struct kernel_wish kernel = {.mode = kernel_mode_of(values->kernel), .points = plan};
    struct str trace = {0}, log = {0};
    bool failed = false;
    path_of(result, "trace", &trace);
    path_of(result, "run.log", &log);
    bool ok =
        file_make_directories(trace.data, error) &&
        (values->pid
             ? attached_run((pid_t)values->pid, values->seconds, kernel, trace.data, error)
             : recorded_run_into(trace.data, log.data, values->command, kernel, &failed, error));
    str_release(&trace);
    str_release(&log);
    return ok;
}

static void keep_refused(const struct str *refused, const char *result)
{
    struct str path = {0};
    struct error error;
    path_of(result, "refused.txt", &path);
    if (refused->length && !file_write(path.data, refused->data, refused->length, &error))
        talk("%s", error.message);
    str_release(&path);
}

void proof_recording_make(const struct proof_wish *wish, const struct stacks *stacks,
                          const char *result)
{
    struct point_plan plan;
    struct error error;
    if (process_interrupted()) {
        talk("stopped: functions are not measured any more");
        return;
    }
    bool ok = proof_choice_plan(wish->choice, stacks, &wish->place, &plan, &error);
    if (ok && plan.notes.length)
        talk("%s", plan.notes.data);
    if (ok)
        talk("now functions are measured call by call%s",
             wish->values->pid ? "" : ", in a second run");
    ok = ok && record(wish, &plan, result, &error);
    if (ok)
        keep_refused(&wish->choice->refused, result);
    else
        talk("nothing was measured: %s", error.message);
    talk_pause();
    point_plan_release(&plan);
}

/* ---- what it tells ---- */

static bool open_trace(struct proof_recording *recording, const char *folder,
                       const struct stacks *stacks)
{
    struct request_totals totals;
    struct error error;
    if (!timelines_open(&recording->run, folder, &error)) {
        talk("what was measured cannot be read: %s", error.message);
        return false;
    }
    recording->opened = true;
    requests_fill(&recording->run, &totals);
    const struct proof_claims claims = {
        &stacks->functions, &stacks->times.fold.tree,
        proof_time(stacks->until - stacks->from, stacks->times.sums[CONTEXT_ROOT].total)};
    return proof_find(&recording->proof, &recording->run, &claims);
}

void proof_recording_open(struct proof_recording *recording, const char *result,
                          struct stacks *stacks)
{
    struct str trace = {0}, refused = {0};
    struct error error;
    *recording = (struct proof_recording){0};
    path_of(result, "trace", &trace);
    path_of(result, "refused.txt", &refused);
    if (file_exists(trace.data) && open_trace(recording, trace.data, stacks))
        stacks->proof = &recording->proof;
    if (stacks->proof && file_exists(refused.data) &&
        !file_read(&recording->refused, refused.data, &error))
        talk("%s", error.message);
    recording->proof.refused = str_text(&recording->refused);
    str_release(&trace);
    str_release(&refused);
}

void proof_recording_release(struct proof_recording *recording)
{
    proof_release(&recording->proof);
    if (recording->opened)
        timelines_release(&recording->run);
    str_release(&recording->refused);
    *recording = (struct proof_recording){0};
}
