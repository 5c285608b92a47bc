#include "driver/experiments/experiment_run.h"

#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "driver/cli/talk.h"
#include "driver/experiments/answer.h"
#include "driver/experiments/watch.h"
#include "driver/experiments/whole_runs.h"
#include "driver/workbench/process.h"
#include "trace/trace_seal.h"

/* A reader of the folder finds the targets while experiments are made, too: later ones replace these. */
static void write_targets(struct runner *r)
{
    struct str targets = {0};
    target_list_write(r->wish->targets, r->outside.length ? r->outside.data : NULL, &r->plan,
                      &targets);
    recorder_file_add_chunk(&r->file, TRACE_CHUNK_TARGETS, 0, str_text(&targets),
                            targets.length + 1);
    str_release(&targets);
}

static void tell_plan(struct runner *r)
{
    r->plan.took_s = r->from_s > 0 ? clock_s() - r->from_s : 0;
    r->plan.steps_refused = (double)delay_file_sum(&r->delays->steps_refused);
    r->plan.untold = (double)delay_file_sum(&r->delays->untold);
    r->plan.progress_unseen = (double)(delay_file_sum(&r->delays->places_refused) +
                                       delay_file_sum(&r->delays->places_lost));
}

static bool open_files(struct runner *r, struct error *error)
{
    struct str path = {0};
    path_join(&path, r->wish->trace, "experiments.vtr");
    r->delays = delay_file_make(r->wish->trace, error);
    bool ok = r->delays &&
              switch_file_make(&r->switches, r->wish->trace, r->wish->probe_count, error) &&
              recorder_file_open(&r->file, path.data, 1, 0, error);
    r->plan.whole_runs = r->wish->end_to_end;
    if (ok) {
        write_targets(r);
        delay_file_set_place(r->delays, r->wish->targets->place);
        r->delays->sampled = target_list_has_code(r->wish->targets);
    }
    str_release(&path);
    return ok;
}

static bool close_files(struct runner *r, bool ok, struct error *error)
{
    struct error other;
    bool closed = true;
    if (r->file.header) {
        tell_plan(r);
        write_targets(r);
        closed = recorder_file_close(&r->file, ok ? error : &other) &&
                 trace_seal_folder(r->wish->trace, ok ? error : &other);
    }
    switch_file_release(&r->switches);
    delay_file_release(r->delays);
    return ok && closed;
}

/* With a program that goes on. */
static bool experiment_with(struct runner *r, struct error *error)
{
    return runner_start_again(r, error) && watch_targets(r, error) && watch_for_calls(r, error) &&
           answer_plan_and_make(r, error);
}

bool experiment_run(const struct experiment_wish *wish, struct error *error)
{
    struct runner r = {.wish = wish,
                       .round = {.number = 1, .trace_directory = wish->trace, .run_log = wish->log},
                       .pilots = memory_zeroed(sizeof *r.pilots * (wish->targets->count + 1)),
                       .roles = memory_zeroed(wish->probe_count + 1)};
    struct error ignored;
    process_catch_interrupts();
    bool ok = open_files(&r, error);
    if (ok) { /* an annotated program records from the start, whatever its probes do */
        memset(r.roles, 0, wish->probe_count);
        switch_file_set(&r.switches, r.roles);
    }
    ok = ok && (wish->end_to_end ? whole_runs_make(&r, error) : experiment_with(&r, error));
    if (ok && r.plan.planned_s > 0 && !process_interrupted())
        talk("planned %.0f s, took %.0f s", r.plan.planned_s, clock_s() - r.from_s);
    runner_end(&r, &ignored);
    ok = close_files(&r, ok, error);
    str_release(&r.outside);
    memory_free(r.pilots);
    memory_free(r.roles);
    return ok;
}
