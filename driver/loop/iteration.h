/* iteration.h - what the parts of one `iterate` share; for iterate.c and the iteration_*.c only.
 *
 *     iteration_prepare               _begin.c    the copy, the build as it is, the facts
 *     iteration_try_unbuilt           _declared.c are the declarations C? before and after the build
 *     iteration_measure_built         _built.c    a round: rewrite, build, run, analyse
 *     iteration_measure_live          _live.c     a round of one build: switch, wait, analyse
 *     iteration_write_outcome         _outcome.c  what it found, as reports
 */
#ifndef DRIVER_LOOP_ITERATION_H
#define DRIVER_LOOP_ITERATION_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "driver/family_variance.h"
#include "driver/loop/ask.h"
#include "driver/loop/iterate_options.h"
#include "driver/loop/loop_state.h"
#include "driver/loop/refine_loop.h"
#include "driver/runs/results.h"
#include "driver/runs/shown_intervals.h"
#include "driver/workbench/config.h"
#include "driver/workbench/live_run.h"
#include "driver/workbench/probed_files.h"
#include "driver/workbench/target.h"
#include "driver/workbench/workdir.h"
#include "rewriter/rewriter.h"
#include "trace/timeline.h"

/* An iteration is one loop from beginning to end. */
struct iteration {
    const struct iterate_options *options;
    const struct parser *parser;
    char source[PATH_MAX];
    /* Paths are absolute, for the parser changes the working directory; empty where there is
     * none. */
    char build[PATH_MAX], run[PATH_MAX], config_path[PATH_MAX], commands[PATH_MAX];
    char out[PATH_MAX];
    struct workdir workdir;
    struct config config;
    struct compile_db db;
    struct rewriter *rewriter;
    struct probed_files probed;
    struct refine_loop loop;
    struct asker asker;
    struct target target;
    struct live_run live;
    bool carried;      /* the tree is built with all probes */
    bool once;         /* it is built for another command: there is no loop to resume */
    bool built_before; /* by the loop that is resumed, and as that left it */
    struct loop_state state;
    unsigned round; /* the current one; 0 is the tree as it is */
    double start_s, round_start_s;
    struct str stopped; /* why there is no further round though something could be opened */
    char host[65], date[32], commit[64];
};

/* A round's result is what it measured. */
struct round_result {
    struct str trace;     /* the folder */
    bool measured_before; /* by the loop that is resumed */
    struct timelines run;
    struct results results;
    const struct variance_result *variance; /* of the results */
    struct shown_intervals shown;
};

/* The copy and its facts; and the loop on them, which needs annotations. */
bool iteration_parse(struct iteration *it, struct error *error);
bool iteration_prepare(struct iteration *it, struct error *error);
bool iteration_find_files(struct iteration *it, struct error *error);
/* The declarations are tried with the commands that are known; false: one is wrong. What can't be
 * told is not wrong. */
bool iteration_try_unbuilt(struct iteration *it, struct error *error);
bool iteration_try_declared(struct iteration *it, struct error *error);
/* Saves what --resume goes on from. */
bool iteration_save(struct iteration *it, unsigned round, bool measured, struct error *error);

/* Notes that a copy of the tree or a build of it begins, or that the build ended well: what there is in between is not
 * gone on with. */
bool iteration_note_building(struct iteration *it, bool building, struct error *error);
/* Measuring fills in `result`, which is then to be released; false: there is nothing to release but
 * its `trace`. */
bool iteration_measure_built(struct iteration *it, struct round_result *result,
                             struct error *error);
bool iteration_measure_live(struct iteration *it, struct round_result *result, struct error *error);
/* Builds the copy with the probes of all functions that are not short, switched off. */
bool iteration_build_carrier(struct iteration *it, struct error *error);
/* Gives what is left of --budget; much where there is none. */
double iteration_seconds_left(const struct iteration *it);
void round_result_release(struct round_result *result);

/* The last outcome is written as the loop's result, and printed. */
bool iteration_write_outcome(struct iteration *it, struct round_result *result, bool last,
                             struct error *error);
void iteration_talk_found(struct iteration *it, const struct round_result *result);

/* A round consists of these steps. */
void iteration_talk_timed(const struct iteration *it);
bool iteration_rewrite(struct iteration *it, const bool *timed, const bool *opened,
                       struct error *error);
bool iteration_write_functions(struct iteration *it, struct error *error);
bool iteration_build_and_run(struct iteration *it, struct str *trace, struct error *error);
void iteration_find_lost_probes(struct iteration *it);
/* False where the load of round 0 completed no interval, though the source marks them. */
bool iteration_check_load(struct iteration *it, const char *trace, struct error *error);
bool iteration_analyze(struct iteration *it, const char *trace, struct round_result *result,
                       struct error *error);
void iteration_drop_trace(const struct iteration *it, const char *trace);

#endif
