#include <stdio.h>

#include "base/number.h"
#include "driver/cli/command_line.h"
#include "driver/cli/command_words.h"
#include "driver/cli/talk.h"
#include "driver/commands/watched_program.h"
#include "driver/runs/kernel_note.h"
#include "driver/runs/outcome.h"
#include "driver/runs/waits_files.h"
#include "report/waits/waits_report.h"
#include "trace/timeline_load.h"

struct waits_values {
    struct watched_values watched;
    const char *type;
    bool no_stacks, slow;
};

/* Of all processors, beside what the switches take: together they are to cost a server 5 % at most. */
#define STACKS_SHARE 0.015

#define AT(member) offsetof(struct waits_values, member)

static const struct option_spec options[] = {
    WATCHED_OPTIONS(AT(watched)),
    FLAG("no-stacks", AT(no_stacks), "record no stacks of waits: who waits is told, not where"),
    OPTION("type", TEXT, AT(type), "NAME", NULL,
           "of the run's intervals, those of this type are the requests"),
    FLAG("slow", AT(slow), "what the slowest 1 % of the requests are slower by stands first"),
    FLAG("json", AT(watched.json), "print vprofiler.waits/1 on stdout"),
    {0},
};
static const struct option_spec arguments[] = {WATCHED_ARGUMENTS(AT(watched)), {0}};

static void print(const struct waits *waits, const struct doubts *doubts, bool json)
{
    if (json) {
        watched_print_json(waits_json(waits, doubts));
        return;
    }
    struct text_style style = outcome_terminal_style();
    struct terminal terminal;
    terminal_init(&terminal, &style, stdout);
    waits_write_text(waits, doubts, &terminal);
    terminal_release(&terminal);
}

/* Where no switch was recorded, the kernel's sums may be. */
static void tell_totals(const struct timelines *run, struct error *error)
{
    double waited = kernel_note_waited(run);
    if (waited >= 0)
        error_set(
            error, ERROR_NOTHING,
            "Who waited for whom was not recorded, only that threads waited for a processor %s of "
            "the time in which they had or wanted one. `vprofiler doctor` says what it takes to "
            "record more.",
            number_percent(waited).text);
}

static void write_page(const struct watched_traces *at, const struct waits *waits,
                       const struct doubts *doubts)
{
    struct error error;
    struct waits_page page = {.waits = waits, .doubts = doubts, .origin = at->origin};
    bool ok = waits_files_write(page, at->result, &error);
    watched_tell_page(at, "waits.html, waits.json", ok ? NULL : &error);
}

static bool analyze(const struct watched_traces *at, const void *context, struct error *error)
{
    const struct waits_values *values = context;
    struct timelines run;
    if (!timelines_open(&run, at->folder, error))
        return false;
    struct waits *waits = waits_find(&run, error);
    bool ok = waits && waits_by_request(waits, &run, values->type, error);
    if (ok && waits_check(waits))
        BUG(waits_check(waits));
    struct doubts doubts = {0};
    kernel_note_doubt(&doubts, &run);
    if (waits && !waits->wakers_known)
        kernel_note_wakers(&doubts);
    if (!waits)
        tell_totals(&run, error);
    if (ok) {
        waits->requests.slow_first = values->slow;
        waits_judge(waits, &doubts);
        print(waits, &doubts, values->watched.json);
        if (at->page)
            write_page(at, waits, &doubts);
    }
    doubts_release(&doubts);
    for (uint32_t i = 0; i < run.damage_count; i++)
        talk("%s", run.damage[i]);
    if (waits)
        waits_release(waits);
    timelines_release(&run);
    return ok;
}

static int run(int argc, char **argv)
{
    struct waits_values values;
    struct str words = {0};
    int code;
    if (!command_take(&command_waits, argc, argv, &values, &code))
        return code;
    command_words(&words, argc, argv, false);
    struct watched_program program = {
        .values = &values.watched,
        .wish = {.stacks = {.on = !values.no_stacks, .share = STACKS_SHARE}},
        .analyze = analyze,
        .context = &values};
    code = watched_program_run(&program, words.data);
    str_release(&words);
    return code;
}

const struct command command_waits = {
    .name = "waits",
    .run = run,
    .summary = "which waiting caps the throughput: who waits for whom",
    .description =
        "Finds who waits for whom, how long, and the knots: circles of waiting that nothing "
        "outside resolves. COMMAND is run in the present folder, as it is; or a RESULT whose run "
        "had the "
        "kernel's side recorded is looked at. Needs no rebuild. Beside the result lies "
        "the page waits.html: the graph, tables, and timelines of who waits for whom.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler waits -- ./server --test", "of a program as it is"},
                 {"vprofiler waits --pid 4711 --for 30s",
                  "of a server that runs, without a restart"},
                 {"vprofiler waits vprofiler-out/latest", "of a run that iterate recorded"}},
};
