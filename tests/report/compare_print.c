/* compare_print worse|fine|unknown text|json [COLUMNS [utf8|ascii [color]]] - prints a comparison
 * that is made up. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/variance/compare_report.h"

/* Half the width of an interval for itself is `half`, together it is half as much again. */
static struct change make(double a, double b, double whole, double half, enum metric metric)
{
    double change = (b - a) / whole, wide = 1.5 * half;
    struct change made = {.applies = true,
                          .enough = true,
                          .a = a,
                          .b = b,
                          .change = change,
                          .ci95 = {change - half, change + half},
                          .together = {change - wide, change + wide}};
    double margin = metric_margin(metric, 0.05);
    if (metric >= METRIC_JUDGED)
        return made;
    made.verdict = change - wide > margin   ? VERDICT_WORSE
                   : change + wide < margin ? VERDICT_NOT_WORSE
                                            : VERDICT_INCONCLUSIVE;
    if (made.verdict == VERDICT_INCONCLUSIVE)
        made.more = wide / 0.02;
    return made;
}

static const double whole[METRIC_COUNT] = {3.83e6, 2.25e13, 2e7, 1.07e6, 2.5e7};

static void fill(struct comparison_row *row, double part, double growth, double half)
{
    for (enum metric m = 0; m < (row->names[0] ? METRIC_JUDGED : METRIC_COUNT); m++) {
        double a = whole[m] * part;
        row->changes[m] = make(a, a * (1 + growth * (m + 1)), whole[m], half, m);
    }
}

static void unbound(struct change *change)
{
    change->enough = false;
    change->verdict = VERDICT_INCONCLUSIVE;
    change->ci95[0] = change->together[0] = -INFINITY;
    change->ci95[1] = change->together[1] = INFINITY;
    change->more = 12;
}

static void make_rows(struct comparison_row *rows, const char *name)
{
    double growth = strcmp(name, "worse") == 0 ? 0.08 : 0.001;
    fill(&rows[0], 1, growth, strcmp(name, "unknown") == 0 ? 0.07 : 0.012);
    rows[1].names[0] = "pthread_mutex_lock";
    fill(&rows[1], 0.55, growth, 0.01);
    rows[2] = (struct comparison_row){.kind = FACTOR_COVARIANCE, .names = {"parse", "reply"}};
    rows[2].changes[METRIC_VARIANCE] = make(-2e11, -3e11, 2.25e13, 0.003, METRIC_VARIANCE);
    rows[3] =
        (struct comparison_row){.names = {"std::map<std::string, std::shared_ptr<request>>::find"},
                                .blind = {NULL, "find"}};
    if (strcmp(name, "unknown") == 0)
        unbound(&rows[0].changes[METRIC_P99]);
}

int main(int argc, char **argv)
{
    struct comparison_row rows[4] = {{.kind = FACTOR_VARIANCE}};
    struct report_warning warning = {.code = "drift",
                                     .message = "The difference drifts from block to block."};
    if (argc < 3)
        return 2;
    make_rows(rows, argv[1]);
    struct comparison comparison = {.rows = rows,
                                    .row_count = 4,
                                    .margin = 0.05,
                                    .intervals = {120000, 118000},
                                    .runs = {20, 20},
                                    .blocks = 20,
                                    .of_runs = true};
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        if (rows[0].changes[m].verdict > comparison.verdict)
            comparison.verdict = rows[0].changes[m].verdict;
    struct compare_report report = {.comparison = &comparison,
                                    .names = {"vprofiler-out/003", "vprofiler-out/004"},
                                    .command = "vprofiler compare vprofiler-out/003 ...",
                                    .warnings = &warning,
                                    .warning_count = strcmp(argv[1], "fine") != 0};
    struct text_style style = {.columns = argc > 3 ? (unsigned)atoi(argv[3]) : 100,
                               .utf8 = argc <= 4 || strcmp(argv[4], "utf8") == 0,
                               .color = argc > 5 && strcmp(argv[5], "color") == 0};
    struct str text = {0};
    if (strcmp(argv[2], "text") == 0)
        compare_write_text(&report, &style, stdout);
    else
        compare_write_json(&report, &text);
    fputs(str_text(&text), stdout);
    str_release(&text);
    return 0;
}
