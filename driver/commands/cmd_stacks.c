#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "driver/cli/command_line.h"
#include "driver/cli/command_words.h"
#include "driver/cli/talk.h"
#include "driver/commands/growth_stacks.h"
#include "driver/commands/layer_names.h"
#include "driver/commands/proof_recording.h"
#include "driver/commands/request_values.h"
#include "driver/commands/slow_stacks.h"
#include "driver/commands/watched_program.h"
#include "driver/runs/inferred_report.h"
#include "driver/runs/kernel_note.h"
#include "driver/runs/outcome.h"
#include "driver/runs/stacks_files.h"
#include "report/stacks/stacks_report.h"
#include "trace/timeline_load.h"

struct stacks_values {
    struct watched_values watched;
    struct request_values requests;
    const char *const *layers, *const *growth, *const *prove;
    unsigned rate;
    bool slow;
    const char *growth_by;
    struct stacks_options wish; /* by them */
    struct proof_choice *choice;
    const char *program;
};

#define AT(member) offsetof(struct stacks_values, member)

static const struct option_spec options[] = {
    WATCHED_OPTIONS(AT(watched)),
    REQUEST_OPTIONS(AT(requests)),
    LAYER_OPTION(AT(layers)),
    OPTION("rate", WHOLE, AT(rate), "N", "500",
           "samples a second of each processor: more of them cost more, and tell smaller parts",
           .most = 10000),
    OPTION(
        "prove", TEXT, AT(prove), "K|FUNCTION", NULL,
        "measures the K functions that have most time, or this one, call by call: in a second run "
        "of COMMAND, or in the second half of --for",
        .repeatable = true),
    FLAG("slow", AT(slow),
         "where the slowest 1 % of the requests take longer than typical ones, context by context"),
    OPTION("growth", TEXT, AT(growth), "SIZE=RESULT", NULL,
           "how the time of each context grows with size, over results of three sizes or more",
           .repeatable = true),
    OPTION("growth-by", TEXT, AT(growth_by), "VALUE", NULL,
           "how it grows with a value of the requests: bytes of --descriptor, or an SI_VALUE's"),
    FLAG(
        "json", AT(watched.json),
        "print vprofiler.stacks/1 on stdout; with --slow vprofiler.stacks-compare/1, with --growth "
        "and --growth-by vprofiler.stacks-growth/1"),
    {0},
};
static const struct option_spec arguments[] = {WATCHED_ARGUMENTS(AT(watched)), {0}};

static void print(const struct stacks *stacks, const struct doubts *doubts, bool json)
{
    if (json) {
        watched_print_json(stacks_json(stacks, doubts));
        return;
    }
    struct text_style style = outcome_terminal_style();
    struct terminal terminal;
    terminal_init(&terminal, &style, stdout);
    stacks_write_text(stacks, doubts, &terminal);
    terminal_release(&terminal);
}

static void write_page(const struct watched_traces *at, const struct stacks *stacks,
                       const struct doubts *doubts)
{
    struct error error;
    struct stacks_page page = {.stacks = stacks, .doubts = doubts, .origin = at->origin};
    bool ok = stacks_files_write(&page, at->result, &error);
    watched_tell_page(at, "stacks.html, stacks.json", ok ? NULL : &error);
}

static void measure(const struct watched_traces *at, const struct stacks_values *values,
                    const struct stacks *stacks)
{
    const struct proof_wish wish = {
        .values = &values->watched,
        .choice = values->choice,
        .place = {values->program, values->watched.pid, &values->requests}};
    if (proof_choice_any(values->choice))
        proof_recording_make(&wish, stacks, at->result);
}

static void tell(const struct watched_traces *at, struct stacks *stacks,
                 const struct timelines *run, const struct stacks_values *values)
{
    struct doubts doubts = {0};
    struct proof_recording recording;
    if (stacks_check(stacks))
        BUG(stacks_check(stacks));
    measure(at, values, stacks);
    proof_recording_open(&recording, at->result, stacks);
    kernel_note_doubt(&doubts, run);
    if (!stacks->wakers_known)
        kernel_note_wakers(&doubts);
    stacks_judge(stacks, &doubts);
    print(stacks, &doubts, values->watched.json);
    if (at->page)
        write_page(at, stacks, &doubts);
    stacks->proof = NULL;
    doubts_release(&doubts);
    proof_recording_release(&recording);
}

/* What `iterate` would say of its requests, by what was seen of them. */
static bool tell_requests(const struct watched_traces *at, struct inferred_report *inferred,
                          struct timelines *run, const struct stacks *stacks, struct error *error)
{
    if (!inferred_report_make(inferred, run, stacks, at->origin.command, error))
        return false;
    outcome_print(&inferred->outcome, false);
    if (!at->page)
        return true;
    if (!outcome_write(&inferred->outcome, at->result, error))
        return false;
    talk("wrote %s/report.html, report.json, report.txt: the requests", at->result_name);
    return true;
}

static bool tell_all(const struct watched_traces *at, const struct stacks_values *values,
                     struct inferred_report *inferred, bool requests, struct timelines *run,
                     struct stacks *stacks, struct error *error)
{
    bool json = values->watched.json;
    if (values->slow)
        return slow_stacks_tell(at, stacks, json, error);
    if (values->growth_by)
        return growth_stacks_tell_by(at, stacks, values->growth_by, json, error);
    tell(at, stacks, run, values);
    return !requests || json || tell_requests(at, inferred, run, stacks, error);
}

static bool analyze(const struct watched_traces *at, const void *context, struct error *error)
{
    const struct stacks_values *values = context;
    struct timelines run;
    struct inferred_report inferred = {0};
    if (!timelines_open(&run, at->folder, error))
        return false;
    bool requests = inferred_report_prepare(&inferred, &run, values->requests.whole);
    struct stacks *stacks = stacks_find(&run, &values->wish, error);
    bool ok = stacks != NULL;
    if (stacks) {
        ok = tell_all(at, values, &inferred, requests, &run, stacks, error);
        stacks_release(stacks);
    }
    for (uint32_t i = 0; i < run.damage_count; i++)
        talk("%s", run.damage[i]);
    inferred_report_release(&inferred);
    timelines_release(&run);
    return ok;
}

/* The file that is run. */
static void append_program(const struct watched_values *values, struct str *path)
{
    if (values->pid)
        str_printf(path, "/proc/%u/exe", values->pid);
    else if (values->command)
        path_of_program(path, values->command[0]);
}

static bool plan_requests(const struct stacks_values *values, struct point_plan *plan,
                          struct error *error)
{
    bool recorded = values->watched.pid || values->watched.command;
    *plan = (struct point_plan){0};
    bool ok = (!request_values_any(&values->requests) || recorded ||
               error_set(error, ERROR_USAGE,
                         "Requests are told of what is recorded now: give -- COMMAND or --pid.")) &&
              (!proof_choice_any(values->choice) || recorded ||
               error_set(error, ERROR_USAGE,
                         "--prove measures what runs now: give -- COMMAND or --pid.")) &&
              proof_choice_check(values->choice, values->program, error) &&
              request_values_plan(&values->requests, values->program, plan, error);
    if (ok && plan->notes.length)
        talk("%s", plan->notes.data);
    return ok;
}

/* Nearly all waits of most programs; it may take so much of the processors (chosen), or with `--kernel on` all that
 * each wait's takes. Who woke them is told by the scheduler's events: stacks of wakings are for `waits`. */
#define WAITS_A_SECOND 4000
#define REQUESTS_WAITS_A_SECOND 10000
#define ALL_WAITS_A_SECOND 1000000
#define STACKS_SHARE 0.03

/* Where single requests are told apart, the samples of one are too few to say where it was preempted, and it matters
 * where each wait was: of PostgreSQL's shares one wait of three without its stack moves some by 8 points. */
static struct stack_wish wish_of(const struct stacks_values *values, bool requests)
{
    bool all = kernel_mode_of(values->watched.kernel) == KERNEL_ON;
    return (struct stack_wish){.on = true,
                               .clock_ns = UINT64_C(1000000000) / values->rate,
                               .waits_a_second = all        ? ALL_WAITS_A_SECOND
                                                 : requests ? REQUESTS_WAITS_A_SECOND
                                                            : WAITS_A_SECOND,
                               .no_wakings = true,
                               .preempted = requests,
                               .share = all ? 0 : STACKS_SHARE};
}

static int watch(const struct stacks_values *values, const struct point_plan *plan, int argc,
                 char **argv)
{
    struct str words = {0};
    command_words(&words, argc, argv, false);
    struct watched_program program = {.values = &values->watched,
                                      .wish = {.stacks = wish_of(values, plan->point_count > 0),
                                               .points = plan->point_count ? plan : NULL},
                                      .analyze = analyze,
                                      .context = values};
    int code = watched_program_run(&program, words.data);
    str_release(&words);
    return code;
}

static int grow(const struct stacks_values *values)
{
    struct error error;
    unsigned layers;
    const struct watched_values *watched = &values->watched;
    if (watched->result || watched->pid || watched->command || values->slow || values->growth_by)
        return talk_usage("stacks", "--growth names the results itself: take the rest away.");
    if (layer_names_take(values->layers, &layers, &error) &&
        growth_stacks_tell(values->growth, layers, watched->json, &error))
        return EXIT_DONE;
    talk_error(&error);
    return exit_code_of(&error);
}

/* The stacks have the first half of the time, what is measured the second one. */
static void share_time(struct stacks_values *values)
{
    if (values->watched.pid && proof_choice_any(values->choice))
        values->watched.seconds /= 2;
}

static int run(int argc, char **argv)
{
    struct stacks_values values;
    struct point_plan plan = {0};
    struct proof_choice choice = {0};
    struct str program = {0};
    struct error error;
    int code;
    if (!command_take(&command_stacks, argc, argv, &values, &code))
        return code;
    if (values.growth)
        return grow(&values);
    if (values.slow + (values.growth_by != NULL) + (values.prove != NULL) > 1)
        return talk_usage("stacks", "--slow, --growth-by and --prove each tell something of their "
                                    "own: take one of them.");
    append_program(&values.watched, &program);
    values.program = str_text(&program);
    values.choice = &choice;
    bool ok = layer_names_take(values.layers, &values.wish.layers, &error) &&
              proof_choice_read(&choice, values.prove, &error) &&
              plan_requests(&values, &plan, &error);
    share_time(&values);
    if (ok)
        code = watch(&values, &plan, argc, argv);
    else
        talk_error(&error), code = exit_code_of(&error);
    point_plan_release(&plan);
    proof_choice_release(&choice);
    str_release(&program);
    return code;
}

const struct command command_stacks = {
    .name = "stacks",
    .run = run,
    .summary = "where the time of a program as it is went: by context, on and off the processor",
    .description =
        "Tells in which calls the threads of a program were while they ran and while they waited, "
        "down into libraries and the kernel, and what they waited for. COMMAND is run in the "
        "present folder, as it is; or a RESULT whose run had stacks recorded is looked at. Needs "
        "no "
        "rebuild, no source and no debug information. Beside the result lies the page stacks.html: "
        "the tree of contexts, functions and threads.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler stacks -- ./server --test", "of a program as it is"},
                 {"vprofiler stacks --pid 4711 --for 30s",
                  "of a server that runs, without a restart"},
                 {"vprofiler stacks --prove 3 -- ./server --test",
                  "and measure the first three functions call by call"}},
};
