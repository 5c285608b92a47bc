#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "driver/cli/command_line.h"
#include "driver/cli/command_words.h"
#include "driver/cli/talk.h"
#include "driver/runs/ab_runs.h"
#include "driver/runs/compared_side.h"
#include "driver/workbench/given.h"
#include "report/variance/compare_report.h"

enum { USUAL_ROUNDS = 20 };

struct compare_values {
    const char *paths[2], *runs[2], *functions[2], *out;
    unsigned rounds, seconds, k;
    double margin;
    bool ab, paired, strict, json, redact;
};

#define AT(member) offsetof(struct compare_values, member)
static const struct option_spec options[] = {
    OPTION("margin", FRACTION, AT(margin), "M", "0.05",
           "how much longer is worse: more than this part of A"),
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
    FLAG("paired", AT(paired), "run 1 of A was made along with run 1 of B, and so on"),
    FLAG("strict", AT(strict), "exit with 3 where it is inconclusive"),
    OPTION("out", FOLDER, AT(out), "DIR", "vprofiler-out", "--ab: where traces and results go"),
    FLAG("json", AT(json), "print the comparison as JSON"),
    FLAG("redact", AT(redact), "write the passwords of the command line as *** in the comparison"),
    {0},
};
static const struct option_spec arguments[] = {
    ARGUMENT(FOLDER, AT(paths[0]), "A", "a result, a folder of traces, or a folder of those"),
    ARGUMENT(FOLDER, AT(paths[1]), "B", "the same; is it worse than A?"),
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

static void doubt_all(struct doubts *doubts, const struct comparison *comparison,
                      const struct compared_side sides[2])
{
    if (!comparison->of_runs)
        DOUBT(doubts, "few-runs",
              "What differs from run to run is not in the intervals: that takes %d runs of each "
              "side, better in turns (--ab).",
              COMPARISON_RUNS);
    if (comparison->drifts)
        DOUBT(doubts, "drift",
              "The difference drifts from block to block: the intervals are too narrow. Run both "
              "in turns (--ab), with longer runs.");
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

static void print(const struct compare_report *report, bool json)
{
    if (json) {
        struct str text = {0};
        compare_write_json(report, &text);
        puts(text.data);
        str_release(&text);
    } else {
        struct text_style style = outcome_terminal_style();
        compare_write_text(report, &style, stdout);
    }
    fflush(stdout);
}

/* The comparison is kept beside the traces of --ab. */
static bool keep(const struct compare_report *report, const char *folder, struct error *error)
{
    struct str path = {0}, text = {0};
    str_printf(&path, "%s/compare.json", folder);
    compare_write_json(report, &text);
    bool ok = file_write(path.data, text.data, text.length, error);
    str_release(&path);
    str_release(&text);
    return ok;
}

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

static bool compare_paths(const struct compare_values *values, const char *const paths[2],
                          const char *keep_in, const char *words, enum verdict *verdict,
                          struct error *error)
{
    struct compared_side sides[2] = {{.run_count = 0}, {.run_count = 0}};
    struct comparison comparison = {0};
    struct doubts doubts = {.count = 0};
    struct comparison_options how = {
        .margin = values->margin, .factors = values->k, .paired = values->paired || values->ab};
    bool ok = compared_side_open(&sides[0], paths[0], values->functions[0], error) &&
              compared_side_open(&sides[1], paths[1], values->functions[1], error);
    if (ok) {
        struct sample_side samples[2] = {sides[0].sample, sides[1].sample};
        ok = comparison_make(&comparison, samples, &how, error);
    }
    if (ok) {
        struct compared_part parts[RESULTS_MOST];
        doubt_all(&doubts, &comparison, sides);
        struct compare_report report = {.comparison = &comparison,
                                        .names = {paths[0], paths[1]},
                                        .command = words,
                                        .warnings = doubts.items,
                                        .warning_count = doubts.count,
                                        .parts = parts,
                                        .part_count = find_parts(sides, parts)};
        ok = !keep_in || keep(&report, keep_in, error);
        talk_pause();
        print(&report, values->json);
        *verdict = comparison.verdict;
    }
    doubts_release(&doubts);
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

static bool compare_in_turns(const struct compare_values *values, const char *words,
                             enum verdict *verdict, struct error *error)
{
    struct ab_runs runs = {.commands = {values->runs[0], values->runs[1]},
                           .functions = {values->functions[0], values->functions[1]},
                           .rounds = values->rounds ? values->rounds : USUAL_ROUNDS,
                           .seconds = values->seconds};
    bool ok = find_functions(values, error) && ab_runs_make(&runs, values->out, error);
    if (ok) {
        const char *const paths[2] = {runs.folders[0].data, runs.folders[1].data};
        talk_phase("compare");
        ok = compare_paths(values, paths, runs.root.data, words, verdict, error);
        if (ok)
            talk("wrote %s/compare.json; again: vprofiler compare --paired %s %s", runs.root.data,
                 paths[0], paths[1]);
    }
    ab_runs_release(&runs);
    return ok;
}

/* ---- the command line ---- */

static int check_values(const struct compare_values *values)
{
    bool both_runs = values->runs[0] && values->runs[1];
    if (values->ab && values->paths[0])
        return talk_usage("compare", "--ab runs the programs itself: take away '%s'.",
                          values->paths[0]);
    if (values->ab && !both_runs)
        return talk_usage("compare", "--ab wants both --run-a COMMAND and --run-b COMMAND.");
    if (values->ab)
        return EXIT_DONE;
    if (values->runs[0] || values->runs[1] || values->rounds || values->seconds)
        return talk_usage("compare", "--run-a, --run-b, --rounds and --seconds go with --ab.");
    if (!values->paths[1])
        return talk_usage("compare",
                          "%s: name two results, or run two programs (--ab). For "
                          "example: vprofiler compare vprofiler-out/003 "
                          "vprofiler-out/004",
                          values->paths[0] ? "B is missing" : "A and B are missing");
    return EXIT_DONE;
}

static int exit_code(enum verdict verdict, bool strict)
{
    if (verdict == VERDICT_WORSE)
        return EXIT_WORSE;
    return verdict == VERDICT_INCONCLUSIVE && strict ? EXIT_INCONCLUSIVE : EXIT_DONE;
}

static int run(int argc, char **argv)
{
    struct compare_values values;
    struct error error;
    struct str words = {0};
    enum verdict verdict = VERDICT_NONE;
    int code;
    if (!command_take(&command_compare, argc, argv, &values, &code) ||
        (code = check_values(&values)) != EXIT_DONE)
        return code;
    command_words(&words, argc, argv, values.redact);
    bool ok = values.ab ? compare_in_turns(&values, words.data, &verdict, &error)
                        : compare_paths(&values, values.paths, NULL, words.data, &verdict, &error);
    if (!ok)
        talk_error(&error);
    str_release(&words);
    if (!ok)
        return error.code == ERROR_STOPPED ? EXIT_INTERRUPTED : EXIT_CANNOT;
    return exit_code(verdict, values.strict);
}

const struct command command_compare = {
    .name = "compare",
    .run = run,
    .summary = "is B slower, or less even, than A?",
    .description =
        "Sets the mean, the variance and the p99 of B's latencies against A's, and those of the "
        "functions that they come from. Each is worse (longer by more than the margin), not worse, "
        "or inconclusive: it takes more intervals to say. All these claims together hold with "
        "95 %.\n"
        "\n"
        "With --ab it runs two programs itself, in turns (A B, B A, ...), so that what the machine "
        "does meanwhile hits both alike. They are built already, as they are or instrumented by "
        "`vprofiler rewrite`; nothing of yours is changed.\n",
    .options = options,
    .arguments = arguments,
    .examples =
        {{"vprofiler compare vprofiler-out/003 vprofiler-out/004", "two results"},
         {"vprofiler compare --ab --run-a 'old/server --bench' --run-b 'new/server --bench'",
          "20 runs of each, in turns"},
         {"vprofiler compare main branch --margin 0.1 --strict --json > compare.json",
          "for CI: 10 % longer is worse, and not to know is a failure"}},
    .status = "0 nothing is worse, 1 the latency's mean, variance or p99 is worse, 2 wrong use or "
              "nothing to compare, 3 with --strict: inconclusive",
};
