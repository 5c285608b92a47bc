#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "driver/cli/command_line.h"
#include "driver/cli/command_words.h"
#include "driver/cli/talk.h"
#include "driver/commands/compare_output.h"
#include "driver/commands/compare_stacks.h"
#include "driver/commands/compare_waits.h"
#include "driver/runs/ab_runs.h"
#include "driver/runs/compared_side.h"
#include "driver/workbench/given.h"
#include "driver/workbench/kernel_recording.h"

enum { USUAL_ROUNDS = 20 };

struct compare_values {
    const char *paths[2], *runs[2], *functions[2], *out, *format, *output, *kernel, *of;
    struct compare_stacks_values stacks;
    unsigned rounds, seconds, k;
    double margin;
    bool ab, paired, strict, json, redact;
};

static const char *const formats[] = {"text",   "json",  "html",
                                      "github", "junit", NULL}; /* enum compare_format */

static const char *const of_names[] = {"stacks", "waits", NULL};

#define AT(member) offsetof(struct compare_values, member)
static const struct option_spec options[] = {
    OPTION("margin", FRACTION, AT(margin), "M", "0.05",
           "how much longer is worse, and how much shorter better: more than this part of A"),
    OPTION("k", WHOLE, AT(k), "N", "3", "factors of each side that are compared", .most = 100),
    FLAG("ab", AT(ab), "run both programs in turns, and compare that"),
    OPTION("run-a", TEXT, AT(runs[0]), "COMMAND", NULL, "--ab: what runs A, once, as sh reads it"),
    OPTION("run-b", TEXT, AT(runs[1]), "COMMAND", NULL, "--ab: what runs B"),
    OPTION("rounds", WHOLE, AT(rounds), "N", NULL, "--ab: how often each is run; otherwise 20",
           .most = 1000),
    OPTION("seconds", WHOLE, AT(seconds), "S", NULL,
           "--ab: end a run after S seconds; otherwise it ends by itself", .most = 86400),
    OPTION("functions-a", FILE, AT(functions[0]), "FILE", NULL,
           "functions.json of A's program; otherwise beside its traces, with --ab none"),
    OPTION("functions-b", FILE, AT(functions[1]), "FILE", NULL, "functions.json of B's program"),
    OPTION("kernel", CHOICE, AT(kernel), "WHEN", NULL,
           "--ab: whether the kernel's scheduler is recorded, as by `vprofiler iterate`; otherwise "
           "auto",
           .choices = kernel_modes),
    FLAG("paired", AT(paired), "run 1 of A was made along with run 1 of B, and so on"),
    FLAG("strict", AT(strict), "exit with 3 where it is not known that nothing is worse"),
    OPTION("out", FOLDER, AT(out), "DIR", "vprofiler-out", "--ab: where traces and results go"),
    OPTION("format", CHOICE, AT(format), "FORMAT", NULL,
           "the form; otherwise text. html is a page, github annotations and the job's summary",
           .choices = formats),
    OPTION("output", TEXT, AT(output), "FILE", NULL,
           "where it goes, of github the summary; otherwise stdout, and of github what "
           "$GITHUB_STEP_SUMMARY names"),
    FLAG("json", AT(json), "the same as --format json"),
    OPTION("of", CHOICE, AT(of), "WHAT", NULL,
           "stacks: contexts, as `vprofiler stacks` tells them; waits; otherwise what A and B are "
           "results of",
           .choices = of_names),
    COMPARE_STACKS_OPTIONS(AT(stacks)),
    FLAG("redact", AT(redact), "write the passwords of the command line as *** in the comparison"),
    {0},
};
static const struct option_spec arguments[] = {
    ARGUMENT(FOLDER, AT(paths[0]), "A", "a result, a folder of traces, or a folder of those"),
    ARGUMENT(FOLDER, AT(paths[1]), "B", "the same; is it better or worse than A?"),
    {0},
};

/* Compare has exit codes of its own: 1 is for "worse" alone. */
enum { EXIT_WORSE = 1, EXIT_CANNOT = 2, EXIT_INCONCLUSIVE = 3 };

/* ---- doubts ---- */

#define DOUBT(doubts, code, ...) doubts_add(doubts, DOUBT_OF_INTERVALS, code, __VA_ARGS__)

/* Some doubts about a single result matter here too. */
static void doubt_side(struct doubts *doubts, const struct compared_side *side, const char *name)
{
    static const char *const codes[] = {"incomplete-intervals", "low-coverage",  "lost-records",
                                        "overwritten-records",  "damaged-trace", "lost-probes",
                                        "probe-cost",           "unchanged-code"};
    const struct report *report = &side->set.outcome.report;
    for (uint32_t i = 0; i < report->warning_count; i++)
        for (size_t c = 0; c < sizeof codes / sizeof *codes; c++)
            if (strcmp(report->warnings[i].code, codes[c]) == 0)
                DOUBT(doubts, codes[c], "%s: %s", name, report->warnings[i].message);
}

static double type_part(const struct interval_summary *intervals, const char *name)
{
    for (uint32_t t = 0; t < intervals->type_count; t++)
        if (strcmp(intervals->types[t].name, name) == 0)
            return (double)intervals->types[t].count / (double)intervals->count;
    return 0;
}

#define MIXTURE_PART 0.05 /* of a side's intervals (chosen) */

/* A type may be more often, by MIXTURE_PART or more, among the intervals of one side. */
static void doubt_types(struct doubts *doubts, const struct compared_side sides[2])
{
    const struct interval_summary *of[2] = {&sides[0].sample.tree->intervals,
                                            &sides[1].sample.tree->intervals};
    for (int s = 0; s < 2; s++)
        for (uint32_t t = 0; t < of[s]->type_count; t++) {
            const char *name = of[s]->types[t].name;
            double part = type_part(of[s], name), other = type_part(of[!s], name);
            if (part < other + MIXTURE_PART)
                continue;
            DOUBT(doubts, "different-types",
                  "%.0f %% of %s's intervals are of type %.60s, of %s's %.0f %%: a change may be "
                  "that of the mixture. Send both the same requests.",
                  part * 100, s ? "B" : "A", name, s ? "A" : "B", other * 100);
            return;
        }
}

static void doubt_starved(struct doubts *doubts, const struct comparison *comparison)
{
    if (comparison->starved)
        DOUBT(doubts, "starved",
              "%s's threads waited longer for a processor than %s's: a difference may be that of "
              "what else ran on the machine. Run both in turns (--ab), and nothing beside them.",
              comparison->starved == STARVED_B ? "B" : "A",
              comparison->starved == STARVED_B ? "A" : "B");
}

static void doubt_all(struct doubts *doubts, const struct comparison *comparison,
                      const struct compared_side sides[2])
{
    doubt_starved(doubts, comparison);
    if (!comparison->of_runs)
        DOUBT(doubts, "few-runs",
              "What differs from run to run is not in the intervals: that takes %d runs of each "
              "side, better in turns (--ab).",
              COMPARISON_RUNS);
    if (comparison->drifts)
        DOUBT(doubts, "drift",
              "The difference drifts from block to block: the intervals are too narrow. Run both "
              "in turns (--ab), with longer runs.");
    if (comparison->nothing_in_common)
        DOUBT(doubts, "no-common-functions",
              "A and B time no function in common: are they builds of one program? Only their "
              "latencies are compared.");
    if (comparison->timed_in_one)
        DOUBT(doubts, "different-functions",
              "%u function%s of both are timed in one only, %.80s for one: own times are not "
              "compared. Instrument both alike (vprofiler rewrite --time).",
              comparison->timed_in_one, comparison->timed_in_one == 1 ? "" : "s",
              comparison->timed_in_one_name);
    doubt_types(doubts, sides);
    for (int s = 0; s < 2; s++)
        doubt_side(doubts, &sides[s], s ? "B" : "A");
}

/* ---- what comes out ---- */

/* Each family that can compare has a part where both sides have a result of it. */
static uint32_t find_parts(const struct compared_side sides[2], struct compared_part *parts)
{
    uint32_t count = 0;
    for (uint32_t f = 0; families[f]; f++) {
        const struct report_family *told = families[f]->told;
        const void *a = results_of(&sides[0].set.results, families[f]);
        const void *b = results_of(&sides[1].set.results, families[f]);
        if (a && b && (told->compare_text || told->compare_json))
            parts[count++] = (struct compared_part){told, {a, b}};
    }
    return count;
}

static struct compare_output output_of(const struct compare_values *values)
{
    const char *format = values->json ? "json" : values->format ? values->format : "text";
    struct compare_output output = {.path = values->output};
    while (strcmp(formats[output.format], format) != 0)
        output.format++;
    return output;
}

/* What compare is told to do, and what comes of it. */
struct job {
    const struct compare_values *values;
    const char *words;   /* the command line */
    const char *keep_in; /* folder of --ab, or NULL */
    char date[32];
    int code; /* exit code */
};

static void set_date(struct job *job)
{
    time_t now = time(NULL);
    strftime(job->date, sizeof job->date, "%Y-%m-%dT%H:%M:%S", gmtime(&now));
}

static int exit_code(const struct comparison *comparison, bool strict)
{
    if (comparison->verdict == VERDICT_WORSE)
        return EXIT_WORSE;
    return comparison->may_be_worse && strict ? EXIT_INCONCLUSIVE : EXIT_DONE;
}

static bool tell(struct job *job, const struct comparison *comparison,
                 const struct compared_side sides[2], const char *const paths[2],
                 struct error *error)
{
    struct compared_part parts[RESULTS_MOST];
    struct doubts doubts = {.count = 0};
    struct compare_output output = output_of(job->values);
    doubt_all(&doubts, comparison, sides);
    struct compare_report report = {.comparison = comparison,
                                    .names = {paths[0], paths[1]},
                                    .commands = {sides[0].command, sides[1].command},
                                    .command = job->words,
                                    .warnings = doubts.items,
                                    .warning_count = doubts.count,
                                    .parts = parts,
                                    .part_count = find_parts(sides, parts),
                                    .strict = job->values->strict,
                                    .date = job->date,
                                    .host = sides[1].set.outcome.report.origin.host};
    bool ok = !job->keep_in || compare_output_keep(&report, job->keep_in, error);
    talk_pause();
    ok = ok && compare_output_write(&output, &report, error);
    job->code = exit_code(comparison, job->values->strict);
    doubts_release(&doubts);
    return ok;
}

static bool compare_paths(struct job *job, const char *const paths[2], struct error *error)
{
    const struct compare_values *values = job->values;
    struct compared_side sides[2] = {{.run_count = 0}, {.run_count = 0}};
    struct comparison comparison = {0};
    struct comparison_options how = {
        .margin = values->margin, .factors = values->k, .paired = values->paired || values->ab};
    bool ok = compared_side_open(&sides[0], paths[0], values->functions[0], error) &&
              compared_side_open(&sides[1], paths[1], values->functions[1], error);
    if (ok) {
        struct sample_side samples[2] = {sides[0].sample, sides[1].sample};
        ok = comparison_make(&comparison, samples, &how, error) &&
             tell(job, &comparison, sides, paths, error);
    }
    comparison_release(&comparison);
    for (int s = 0; s < 2; s++)
        compared_side_release(&sides[s]);
    return ok;
}

/* ---- in turns ---- */

static bool find_functions(const struct compare_values *values, struct error *error)
{
    char absolute[PATH_MAX];
    for (int s = 0; s < 2; s++)
        if (!given_file(values->functions[s], "list of functions",
                        s ? "functions-b" : "functions-a", absolute, error))
            return false;
    return true;
}

static bool compare_runs(struct job *job, struct ab_runs *runs, struct error *error)
{
    const struct compare_values *values = job->values;
    if (!find_functions(values, error) || !kernel_recording_require(runs->kernel, error) ||
        !ab_runs_make(runs, values->out, error))
        return false;
    const char *const paths[2] = {runs->folders[0].data, runs->folders[1].data};
    talk_phase("compare");
    job->keep_in = runs->root.data;
    if (!compare_paths(job, paths, error))
        return false;
    talk("wrote %s/compare.json and compare.html; again: vprofiler compare --paired %s %s",
         runs->root.data, paths[0], paths[1]);
    return true;
}

static bool compare_in_turns(struct job *job, struct error *error)
{
    const struct compare_values *values = job->values;
    struct str names[2] = {{0}, {0}};
    for (int s = 0; s < 2; s++)
        command_words_line(&names[s], values->runs[s], values->redact);
    struct ab_runs runs = {.commands = {values->runs[0], values->runs[1]},
                           .names = {str_text(&names[0]), str_text(&names[1])},
                           .functions = {values->functions[0], values->functions[1]},
                           .rounds = values->rounds ? values->rounds : USUAL_ROUNDS,
                           .seconds = values->seconds,
                           .kernel = values->kernel ? kernel_mode_of(values->kernel) : KERNEL_AUTO};
    bool ok = compare_runs(job, &runs, error);
    ab_runs_release(&runs);
    for (int s = 0; s < 2; s++)
        str_release(&names[s]);
    return ok;
}

/* ---- the command line ---- */

static int check_values(const struct compare_values *values)
{
    bool both_runs = values->runs[0] && values->runs[1];
    if (values->json && values->format && strcmp(values->format, "json") != 0)
        return talk_usage("compare", "--json is --format json: leave it or --format %s out.",
                          values->format);
    if (values->ab && values->paths[0])
        return talk_usage("compare", "--ab runs the programs itself: take away '%s'.",
                          values->paths[0]);
    if (values->ab && values->of)
        return talk_usage("compare", "--of %s is of two results: it does not go with --ab.",
                          values->of);
    if (values->ab && !both_runs)
        return talk_usage("compare", "--ab wants both --run-a COMMAND and --run-b COMMAND.");
    if (values->ab)
        return EXIT_DONE;
    if (values->runs[0] || values->runs[1] || values->rounds || values->seconds || values->kernel)
        return talk_usage("compare",
                          "--run-a, --run-b, --rounds, --seconds and --kernel go with --ab.");
    if (!values->paths[1])
        return talk_usage("compare",
                          "%s: name two results, or run two programs (--ab). For "
                          "example: vprofiler compare vprofiler-out/003 "
                          "vprofiler-out/004",
                          values->paths[0] ? "B is missing" : "A and B are missing");
    return EXIT_DONE;
}

/* What both are results of, but for what is asked for. */
static bool is_of(const struct compare_values *values, const char *what)
{
    bool stacks = strcmp(what, "stacks") == 0;
    if (values->of)
        return strcmp(values->of, what) == 0;
    return stacks ? compare_stacks_applies(values->paths) : compare_waits_applies(values->paths);
}

static bool compare_contexts(struct job *job, const struct compare_output *output,
                             struct error *error)
{
    const struct compare_values *values = job->values;
    struct compare_stacks_verdict verdict = {.margin = values->margin};
    bool ok = compare_stacks(values->paths, &values->stacks, output, job->words, &verdict, error);
    job->code = verdict.worse                      ? EXIT_WORSE
                : verdict.may_be && values->strict ? EXIT_INCONCLUSIVE
                                                   : EXIT_DONE;
    return ok;
}

static bool compare(struct job *job, struct error *error)
{
    const struct compare_values *values = job->values;
    struct compare_output output = output_of(values);
    if (!values->ab && is_of(values, "stacks"))
        return compare_contexts(job, &output, error);
    if (values->stacks.per || values->stacks.mended || values->stacks.layers)
        return error_set(error, ERROR_USAGE,
                         "--per, --mended and --layer are of results of `vprofiler stacks`, or go "
                         "with --of stacks.");
    if (values->ab)
        return compare_in_turns(job, error);
    if (is_of(values, "waits"))
        return compare_waits(values->paths, &output, error);
    return compare_paths(job, values->paths, error);
}

static int run(int argc, char **argv)
{
    struct compare_values values;
    struct error error;
    struct str words = {0};
    struct job job = {.values = &values};
    int code;
    if (!command_take(&command_compare, argc, argv, &values, &code) ||
        (code = check_values(&values)) != EXIT_DONE)
        return code;
    command_words(&words, argc, argv, values.redact);
    job.words = words.data;
    set_date(&job);
    bool ok = compare(&job, &error);
    if (!ok) {
        struct compare_output output = output_of(&values);
        bool stopped = error.code == ERROR_STOPPED;
        talk_error(&error);
        if (!stopped)
            compare_output_failed(&output, error.message, job.date);
        job.code = stopped ? EXIT_INTERRUPTED : EXIT_CANNOT;
    }
    str_release(&words);
    return job.code;
}

const struct command command_compare = {
    .name = "compare",
    .run = run,
    .summary = "is B better or worse than A, and how sure is that?",
    .description =
        "Sets the mean, the variance and the p99 of B's latencies against A's, and those of the "
        "functions that they come from. Each is worse (its whole 95 % interval is above the "
        "margin), better (A would be worse if the two were swapped), not different (it lies "
        "between the margins) or inconclusive: it takes more intervals to say. All these claims "
        "together hold with 95 %.\n"
        "\n"
        "With --ab it runs two programs itself, in turns (A B, B A, ...), so that what the machine "
        "does meanwhile hits both alike. They are built already, as they are or instrumented by "
        "`vprofiler rewrite`; nothing of yours is changed. What it found is kept beside the "
        "traces: compare.json and the page compare.html.\n"
        "\n"
        "Of two results of `vprofiler stacks`, or folders of them, it says in which calling "
        "contexts B takes more or less time than A, for each request, run or second "
        "(docs/stacks.md), as text, JSON or a page.\n"
        "\n"
        "Of two results of `vprofiler waits` it says which waits surely changed (docs/waits.md), "
        "as "
        "text or JSON; so it does, below the rest, where the kernel's side of both was recorded.\n"
        "\n"
        "Exit status, by the latency's mean, variance and p99:\n"
        "  0    better, not different, or inconclusive\n"
        "  1    one of them is worse, whatever the others are\n"
        "  2    wrong use, a program that failed, nothing to compare\n"
        "  3    --strict: none is worse, and of one that is not ruled out\n"
        "  130  interrupted\n",
    .options = options,
    .arguments = arguments,
    .examples =
        {{"vprofiler compare vprofiler-out/003 vprofiler-out/004",
          "two results, of iterate, of waits or of stacks"},
         {"vprofiler compare --ab --run-a 'old/server --bench' --run-b 'new/server --bench'",
          "20 runs of each, in turns"},
         {"vprofiler compare main branch --margin 0.1 --strict --format github",
          "for CI: 10 % longer is worse, and not to know is a failure"}},
    .status =
        "0 better, not different or inconclusive, 1 worse, 2 wrong use or nothing to compare, 3 "
        "with --strict: inconclusive, 130 interrupted",
};
