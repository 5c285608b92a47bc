#include "driver/runs/outcome.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/str.h"
#include "driver/runs/kernel_note.h"
#include "driver/runs/result_file.h"
#include "driver/runs/run_doubts.h"
#include "report/kit/terminal.h"
#include "stats/distance.h"

/* A doubt is told from these on, as the table of docs/method.md says. They are chosen, not derived,
 * but for the test's. */
enum {
    ENOUGH_INTERVALS = 100,
    ENDLESS_ONE_IN = 20,     /* intervals that never ended */
    NESTED_ONE_IN = 100,     /* intervals that were begun inside another */
    MOST_NAMES_COLUMNS = 140 /* of functions that are told by name */
};
#define ENOUGH_COVERAGE 0.95 /* of the time */
#define SHIFTED_MEAN 0.2     /* of the first round's mean */
#define SHIFTED_STEPS 1.63   /* Kolmogorov and Smirnov's test of two samples at 1 % */

/* The name of the program whose intervals they are; "": nothing was recorded. */
static const char *outcome_target(const struct timelines *run)
{
    uint32_t process = run->interval_count ? run->intervals[0].process : 0;
    const char *program = run->process_count ? run->processes[process].program : "";
    const char *slash = strrchr(program, '/');
    return slash ? slash + 1 : program;
}

static void doubt_again(struct outcome *outcome, enum doubt_subject subject, const char *code,
                        const char *message)
{
    if (message)
        doubts_add(&outcome->doubts, subject, code, "%s", message);
}

static void judge_intervals(struct outcome *outcome)
{
    const struct interval_summary *intervals = outcome->report.intervals;
    if (intervals->count < ENOUGH_INTERVALS)
        doubts_add(
            &outcome->doubts, DOUBT_OF_INTERVALS, "few-intervals",
            "Only %llu complete interval%s: the shares are rough. Let the program run longer.",
            (unsigned long long)intervals->count, number_plural(intervals->count));
    uint64_t endless = intervals->incomplete - outcome->run->intervals_cut;
    if (endless * ENDLESS_ONE_IN > intervals->count)
        doubts_add(&outcome->doubts, DOUBT_OF_INTERVALS, "incomplete-intervals",
                   "%llu interval%s began and never ended, and %s left out. %s",
                   (unsigned long long)endless, number_plural(endless), endless == 1 ? "is" : "are",
                   outcome->report.inferred ? "Is there a way out that does not come to its end?"
                                            : "Is an SI_END missing on some way out?");
    if (outcome->report.coverage < ENOUGH_COVERAGE)
        doubts_add(&outcome->doubts, DOUBT_OF_INTERVALS, "low-coverage",
                   "%.0f %% of the time is unexplained: no thread is known to have worked for the "
                   "interval. %s",
                   (1 - outcome->report.coverage) * 100,
                   outcome->report.inferred
                       ? "What threads other than that at its begin and end do for it is not seen."
                       : "Add SI_ENTER(id) where a thread takes it over.");
}

/* Some intervals are not what they seem to be. */
static void judge_marks(struct outcome *outcome)
{
    const struct timelines *run = outcome->run;
    const char *programs[2];
    uint64_t nested = run_nested_intervals(run);
    if (nested * NESTED_ONE_IN > outcome->report.intervals->count)
        doubts_add(
            &outcome->doubts, DOUBT_OF_MARKS, "nested-intervals",
            "%llu time%s an interval was begun inside another, whose thread did not come back to "
            "it: the rest of that one counts as waiting. A thread works for one interval at a "
            "time; call SI_ENTER(the outer one) after the SI_END of the inner one.",
            (unsigned long long)nested, number_plural(nested));
    if (run_two_programs(run, programs))
        doubts_add(
            &outcome->doubts, DOUBT_OF_MARKS, "several-programs",
            "Intervals of several programs are taken together, as of %.60s and %.60s. Run one of "
            "them, or leave the marks in one.",
            programs[0], programs[1]);
}

/* The latencies moved by a good part of the mean, and by more than chance would with so many
 * intervals. */
static bool latency_shifted(const struct interval_summary *first,
                            const struct interval_summary *now)
{
    double n = (double)first->count, m = (double)now->count;
    double moved = distance_moved(first->percentiles_ns, now->percentiles_ns, SUMMARY_PERCENTILES);
    double steps = distance_steps(first->percentiles_ns, now->percentiles_ns, SUMMARY_PERCENTILES);
    return moved > SHIFTED_MEAN * first->mean_ns && steps > SHIFTED_STEPS * sqrt((n + m) / (n * m));
}

static double percent_more(double now, double first)
{
    return first > 0 ? (now / first - 1) * 100 : 0;
}

static void judge_rounds(struct outcome *outcome)
{
    const struct interval_summary *first = outcome->first;
    const struct interval_summary *now = outcome->report.intervals;
    if (first && first->count && latency_shifted(first, now))
        doubts_add(
            &outcome->doubts, DOUBT_OF_ROUNDS, "latency-shift",
            "The latencies are not those of the first round (mean %+.0f %%, p50 %+.0f %%, p99 "
            "%+.0f %%): rounds may not be comparable, or the probes cost too much.",
            percent_more(now->mean_ns, first->mean_ns), percent_more(now->p50_ns, first->p50_ns),
            percent_more(now->p99_ns, first->p99_ns));
    doubt_again(outcome, DOUBT_OF_ROUNDS, "latency-shift", outcome->past.latency_shift);
    doubt_again(outcome, DOUBT_OF_ROUNDS, "stopped-early", outcome->stopped);
    doubt_again(outcome, DOUBT_OF_ROUNDS, "stopped-early", outcome->past.stopped);
}

/* The doubt names as many functions as fit, and counts the others. */
static void judge_hot(struct outcome *outcome)
{
    struct str names = {0};
    uint32_t told = 0;
    for (; told < outcome->hot_count; told++) {
        if (told && names.length + strlen(outcome->hot[told]) > MOST_NAMES_COLUMNS)
            break;
        str_printf(&names, "%s%.140s", told ? ", " : "", outcome->hot[told]);
    }
    if (told < outcome->hot_count)
        str_printf(&names, " and %u more", outcome->hot_count - told);
    doubts_add(
        &outcome->doubts, DOUBT_OF_PROBES, "hot-functions",
        "Some functions are called too often to be timed, and their time is their callers': %s.",
        names.data);
    str_release(&names);
}

static void judge_trace(struct outcome *outcome)
{
    const struct timelines *run = outcome->run;
    if (run->lost_records)
        doubts_add(
            &outcome->doubts, DOUBT_OF_TRACE, "lost-records",
            "%llu record%s lost: the trace folder or its cap is full, more than 16,448 timed calls "
            "were open at once, or calls ended in a way that is not seen.",
            (unsigned long long)run->lost_records, run->lost_records == 1 ? " was" : "s were");
    if (run->overwritten_records)
        doubts_add(
            &outcome->doubts, DOUBT_OF_TRACE, "overwritten-records",
            "%llu older records were overwritten by newer ones, as VPROF_TRACE_KEEP=newest asks; "
            "%u interval%s of their time %s left out.",
            (unsigned long long)run->overwritten_records, run->intervals_cut,
            number_plural(run->intervals_cut), run->intervals_cut == 1 ? "is" : "are");
    if (run->processes_unchanged)
        doubts_add(
            &outcome->doubts, DOUBT_OF_TRACE, "unchanged-code",
            "Calls of %u process%s are not timed: SELinux, seccomp or the kernel does not let %s "
            "change code. Compile with -DVPROF_NO_SITES.",
            run->processes_unchanged, run->processes_unchanged == 1 ? "" : "es",
            run->processes_unchanged == 1 ? "it" : "them");
    if (run->damage_count)
        doubts_add(&outcome->doubts, DOUBT_OF_TRACE, "damaged-trace", "%s", run->damage[0]);
    if (outcome->skipped)
        doubts_add(&outcome->doubts, DOUBT_OF_TRACE, "skipped",
                   "%u function%s or call%s could not be instrumented; see skips.txt.",
                   outcome->skipped, number_plural(outcome->skipped),
                   number_plural(outcome->skipped));
    doubt_again(outcome, DOUBT_OF_TRACE, "skipped", outcome->past.skipped);
    const struct probed_files *probed = outcome->probed;
    if (probed && probed->lost_count)
        doubts_add(
            &outcome->doubts, DOUBT_OF_TRACE, "lost-probes",
            "The build made %.60s again, which took out %u probe%s. Let it keep a source file that "
            "is newer than what it is made from, or make it before vprofiler starts.",
            str_text(&probed->lost), probed->lost_probes, number_plural(probed->lost_probes));
    doubt_again(outcome, DOUBT_OF_TRACE, "lost-probes", outcome->past.lost_probes);
}

static void judge_hot_ones(struct outcome *outcome)
{
    if (outcome->hot_count)
        judge_hot(outcome);
    doubt_again(outcome, DOUBT_OF_PROBES, "hot-functions", outcome->past.hot);
}

void outcome_judge(struct outcome *outcome)
{
    struct report *report = &outcome->report;
    const struct family_input input = {.run = outcome->run, .functions = outcome->functions};
    if (report->intervals) {
        judge_intervals(outcome);
        judge_marks(outcome);
        judge_rounds(outcome);
    }
    results_judge(outcome->results, report, &input, &outcome->doubts);
    judge_hot_ones(outcome);
    judge_trace(outcome);
    kernel_note_doubt(&outcome->doubts, outcome->run);
    kernel_note_add(&outcome->notes, outcome->run);
    report->warnings = outcome->doubts.items;
    report->warning_count = outcome->doubts.count;
    report->notes = outcome->notes.items;
    report->note_count = outcome->notes.count;
}

static uint32_t count_bodies(const struct function_table *functions)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < functions->function_count; i++)
        count += functions->functions[i].body;
    return count;
}

void outcome_begin(struct outcome *outcome, const struct timelines *run,
                   const struct function_table *functions, const struct shown_intervals *shown)
{
    struct report *report = &outcome->report;
    outcome->run = run;
    outcome->functions = functions;
    report->target = outcome_target(run);
    report->functions_known = count_bodies(functions);
    report->lost_records = run->lost_records;
    report->timelines = shown->timelines;
    report->timeline_count = shown->count;
}

void outcome_tell(struct outcome *outcome, const struct results *results)
{
    struct report *report = &outcome->report;
    outcome->results = results;
    report->part_count = results_parts(results, outcome->parts);
    report->parts = outcome->parts;
    report->intervals = results_intervals(results, &report->coverage);
}

void outcome_release(struct outcome *outcome)
{
    doubts_release(&outcome->doubts);
    doubts_release(&outcome->notes);
}

static bool write_text(const struct outcome *outcome, const char *folder, struct error *error)
{
    char *data = NULL;
    size_t size_bytes = 0;
    FILE *memory = open_memstream(&data, &size_bytes);
    if (!memory)
        return error_system(error, "Can't write the report");
    struct text_style style = {.color = false, .utf8 = true, .columns = TERMINAL_USUAL_COLUMNS};
    report_write_text(&outcome->report, &style, memory);
    fclose(memory);
    struct str text = {.data = data, .length = size_bytes};
    bool ok = result_file_write(folder, "report.txt", &text, error);
    free(data);
    return ok;
}

void outcome_write_page(const struct outcome *outcome, struct str *out)
{
    const struct family_input input = {.run = outcome->run, .functions = outcome->functions};
    if (!outcome->moving)
        results_illustrate(outcome->results, &input);
    report_write_html(&outcome->report, out);
}

bool outcome_write(const struct outcome *outcome, const char *folder, struct error *error)
{
    struct str text = {0};
    report_write_json(&outcome->report, &text);
    bool ok = result_file_write(folder, "report.json", &text, error);
    str_clear(&text);
    outcome_write_page(outcome, &text);
    ok = ok && result_file_write(folder, "report.html", &text, error);
    str_release(&text);
    return ok && write_text(outcome, folder, error);
}

struct text_style outcome_terminal_style(void)
{
    struct text_style style = {.columns = TERMINAL_USUAL_COLUMNS};
    struct winsize size;
    const char *no_color = getenv("NO_COLOR");
    setlocale(LC_CTYPE, "");
    style.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    style.color = isatty(1) && !(no_color && *no_color);
    if (isatty(1) && ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col >= TERMINAL_LEAST_COLUMNS &&
        size.ws_col < TERMINAL_MOST_COLUMNS)
        style.columns = size.ws_col;
    return style;
}

void outcome_print(const struct outcome *outcome, bool json)
{
    if (json) {
        struct str text = {0};
        report_write_json(&outcome->report, &text);
        fwrite(text.data, 1, text.length, stdout);
        putchar('\n');
        str_release(&text);
    } else {
        struct text_style style = outcome_terminal_style();
        report_write_text(&outcome->report, &style, stdout);
    }
    fflush(stdout);
}
