#include "driver/outcome.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"

static void warn(struct outcome *outcome, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void warn(struct outcome *outcome, const char *code, const char *format, ...)
{
    struct report *report = &outcome->report;
    if (report->warning_count == MOST_WARNINGS)
        return;
    struct report_warning *warning = &outcome->warnings[report->warning_count++];
    warning->code = code;
    va_list args;
    va_start(args, format);
    vsnprintf(warning->message, sizeof warning->message, format, args);
    va_end(args);
    report->warnings = outcome->warnings;
}

static void warn_again(struct outcome *outcome, const char *code, const char *message)
{
    if (message)
        warn(outcome, code, "%s", message);
}

static void judge_intervals(struct outcome *outcome)
{
    const struct interval_summary *intervals = &outcome->report.tree->intervals;
    if (intervals->count < 100)
        warn(outcome, "few-intervals",
             "Only %llu complete intervals: the shares are rough. Let the program run longer.",
             (unsigned long long)intervals->count);
    uint64_t endless = intervals->incomplete - outcome->run->intervals_cut;
    if (endless * 20 > intervals->count)
        warn(outcome, "incomplete-intervals",
             "%llu intervals began and never ended; they are left out. Is an SI_END missing on "
             "some way out?",
             (unsigned long long)endless);
    if (outcome->report.tree->coverage < 0.95)
        warn(outcome, "low-coverage",
             "%.0f %% of the time is unexplained or a hand-over that left no trace. Add SI_ENTER "
             "where a thread takes a request over, or declare the queue (docs/config.md).",
             (1 - outcome->report.tree->coverage) * 100);
    double first = outcome->first_mean_ns;
    if (first > 0 && fabs(intervals->mean_ns / first - 1) > 0.3)
        warn(outcome, "latency-shift",
             "The mean latency is %+.0f %% away from the first round's: rounds may not be "
             "comparable, or the probes cost too much.",
             (intervals->mean_ns / first - 1) * 100);
    warn_again(outcome, "latency-shift", outcome->past.latency_shift);
}

static void judge_ranking(struct outcome *outcome)
{
    const struct factor_list *list = outcome->report.factors;
    if (list->count < 2)
        return;
    const struct factor *first = &list->factors[0], *second = &list->factors[1];
    if (first->ci95[0] < second->ci95[1] && second->height == first->height)
        warn(outcome, "unstable-ranking",
             "Factors 1 and 2 are not separated from noise. Let the program run longer.");
}

static void judge_trace(struct outcome *outcome)
{
    const struct timelines *run = outcome->run;
    if (run->lost_records)
        warn(outcome, "lost-records",
             "%llu records were lost: the trace folder or its cap is full.",
             (unsigned long long)run->lost_records);
    if (run->overwritten_records)
        warn(outcome, "overwritten-records",
             "%llu older records were overwritten by newer ones, as VPROF_TRACE_KEEP=newest asks; "
             "%u intervals of their time are left out.",
             (unsigned long long)run->overwritten_records, run->intervals_cut);
    if (run->damage_count)
        warn(outcome, "damaged-trace", "%s", run->damage[0]);
    if (outcome->skipped)
        warn(outcome, "skipped", "%u functions or calls could not be instrumented; see skips.txt.",
             outcome->skipped);
    warn_again(outcome, "skipped", outcome->past.skipped);
    const struct probed_files *probed = outcome->probed;
    if (probed && probed->lost_count)
        warn(outcome, "lost-probes",
             "The build made %.60s again, which took out %u probes. Let it keep a source file that "
             "is newer than what it is made from, or make it before vprofiler starts.",
             str_text(&probed->lost), probed->lost_probes);
    warn_again(outcome, "lost-probes", outcome->past.lost_probes);
}

void outcome_judge(struct outcome *outcome)
{
    judge_intervals(outcome);
    judge_ranking(outcome);
    judge_trace(outcome);
    warn(outcome, "preemption-not-separated",
         "Time in which a thread was runnable but not running is part of the function it was in.");
}

static bool write_one(const char *folder, const char *name, const struct str *text,
                      struct error *error)
{
    struct str path = {0};
    path_join(&path, folder, name);
    bool ok = file_write(path.data, str_text(text), text->length, error);
    str_release(&path);
    return ok;
}

static bool write_text(const struct outcome *outcome, const char *folder, struct error *error)
{
    char *data = NULL;
    size_t size_bytes = 0;
    FILE *memory = open_memstream(&data, &size_bytes);
    if (!memory)
        return error_system(error, "Can't write the report");
    struct text_style style = {.color = false, .utf8 = true, .columns = 100};
    report_write_text(&outcome->report, &style, memory);
    fclose(memory);
    struct str text = {.data = data, .length = size_bytes};
    bool ok = write_one(folder, "report.txt", &text, error);
    free(data);
    return ok;
}

bool outcome_write(const struct outcome *outcome, const char *folder, struct error *error)
{
    struct str text = {0};
    report_write_json(&outcome->report, &text);
    bool ok = write_one(folder, "report.json", &text, error);
    str_clear(&text);
    report_write_html(&outcome->report, &text);
    ok = ok && write_one(folder, "report.html", &text, error);
    str_release(&text);
    return ok && write_text(outcome, folder, error);
}

static struct text_style terminal_style(void)
{
    struct text_style style = {.columns = 100};
    struct winsize size;
    const char *no_color = getenv("NO_COLOR");
    setlocale(LC_CTYPE, "");
    style.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    style.color = isatty(1) && !(no_color && *no_color);
    if (isatty(1) && ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col >= 60 && size.ws_col < 160)
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
        struct text_style style = terminal_style();
        report_write_text(&outcome->report, &style, stdout);
    }
    fflush(stdout);
}
