#include "report/variance/compare_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "report/variance/factor_words.h"
#include "report/variance/ledger_words.h"

/* ---- numbers ---- */

static bool beyond_known(double change)
{
    return change > CHANGE_MOST_TIMES - 1 || change < -CHANGE_MOST_TIMES;
}

/* More than so many times is written as that: how many is not known. */
static struct number capped(double fraction)
{
    struct number number = {"-"};
    if (!isnan(fraction))
        snprintf(number.text, sizeof number.text, fraction > 0 ? "> %d x" : "< -%d x",
                 CHANGE_MOST_TIMES);
    return number;
}

struct number change_number(double change)
{
    struct number bare = number_percent(change), number;
    bool rose = change >= NUMBER_LEAST_PERCENT;
    if (beyond_known(change))
        return capped(change);
    snprintf(number.text, sizeof number.text, "%s%.40s", rose ? "+" : "", bare.text);
    return number;
}

static struct number signed_points(double change)
{
    struct number number = change_number(change);
    if (!beyond_known(change))
        number.text[strcspn(number.text, " ")] = '\0';
    return number;
}

/* A variance is written as the square of what people know the size of: "(4.74 ms)^2". */
struct number change_value(double value, enum metric metric, bool utf8)
{
    if (metric != METRIC_VARIANCE)
        return number_ns(value, utf8);
    struct number number;
    snprintf(number.text, sizeof number.text, "%s(%.24s)%s", value < 0 ? "-" : "",
             number_ns(sqrt(fabs(value)), utf8).text, utf8 ? "\u00b2" : "^2");
    return number;
}

void change_write_range(const struct change *change, bool utf8, struct str *out)
{
    const double *interval = change_shown(change);
    if (change->gap != GAP_NONE)
        str_append(out, "-");
    else if (interval[0] > CHANGE_MOST_TIMES - 1)
        str_append(out, change_number(interval[0]).text);
    else
        str_printf(out, "%s %s %s", signed_points(interval[0]).text, utf8 ? "\u2026" : "..",
                   signed_points(interval[1]).text);
}

void change_write_gap(const struct change *change, enum metric metric, struct str *out)
{
    const char *zero = metric == METRIC_VARIANCE ? "does not vary" : "is 0";
    switch (change->gap) {
    case GAP_NONE:
        return;
    case GAP_FEW:
        str_printf(out, "fewer than %s intervals",
                   number_count((uint64_t)metric_least_count(metric)).text);
        return;
    case GAP_ZERO:
        str_printf(out, "%s %s, so there is no ratio",
                   change->a == 0   ? "A"
                   : change->b == 0 ? "B"
                                    : "A's latency",
                   zero);
        return;
    case GAP_UNSURE:
        str_append(out, "A's latency differs too much from block to block");
        return;
    }
}

const char *verdict_key(enum verdict verdict)
{
    static const char *const keys[] = {NULL, "better", "not-different", "inconclusive", "worse"};
    return keys[verdict];
}

/* ---- rows ---- */

void row_write_name(const struct comparison_row *row, size_t columns, bool utf8, struct str *out)
{
    struct factor factor = {.kind = row->kind, .names = {row->names[0], row->names[1]}};
    if (row->names[0])
        factor_write_name(&factor, columns, utf8, out);
    else
        str_append(out, "latency");
}

void row_write_blind(const struct comparison_row *row, struct str *out)
{
    int side = row->blind[0] ? 0 : 1;
    if (row->blind[side])
        str_printf(out, "%s does not time %s", side ? "B" : "A", row->blind[side]);
}

void root_write_who(const struct root_change *line, size_t columns, bool utf8, struct str *out)
{
    named_place_write(line->name, line->file, line->line, columns, utf8, out);
}

struct number root_value(const struct comparison *comparison, const struct root_change *line,
                         enum difference_way way, int side, bool utf8)
{
    const struct change *change = &line->changes[way];
    double value = side ? change->b : change->a;
    if (way == DIFFERENCE_MEAN)
        return number_ns(value, utf8);
    double part = value / comparison->rows[0].changes[METRIC_VARIANCE].a;
    return fabs(part) <= CHANGE_MOST_TIMES ? number_percent(part) : capped(part);
}

/* ---- where it comes from ---- */

const struct root_change *comparison_who(const struct comparison *comparison, int sign,
                                         enum difference_way *way)
{
    static const enum metric metrics[] = {METRIC_MEAN, METRIC_VARIANCE};
    enum verdict wanted = sign > 0 ? VERDICT_WORSE : VERDICT_BETTER;
    for (*way = 0; *way < DIFFERENCE_WAYS; ++*way) {
        const struct root_change *line = root_difference_first(&comparison->roots, *way, sign);
        if (line && comparison->rows[0].changes[metrics[*way]].verdict == wanted)
            return line;
    }
    return NULL;
}

/* The change of a factor that goes with the latency's, by its size; else 0. */
static double moved(const struct comparison_row *row, enum metric metric, int sign)
{
    const struct change *change = &row->changes[metric];
    enum verdict wanted = sign > 0 ? VERDICT_WORSE : VERDICT_BETTER;
    return change->verdict == wanted ? sign * change->change : 0;
}

/* Finds the first factor by rank that moved about as much as the one that moved most, which may be
 * one that holds all others. */
static const struct comparison_row *find_where(const struct comparison *comparison,
                                               enum metric metric, int sign)
{
    double most = 0;
    for (uint32_t r = 1; r < comparison->row_count; r++)
        most = fmax(most, moved(&comparison->rows[r], metric, sign));
    for (uint32_t r = 1; r < comparison->row_count && most > 0; r++)
        if (moved(&comparison->rows[r], metric, sign) >= 0.9 * most)
            return &comparison->rows[r];
    return NULL;
}

const struct comparison_row *comparison_where(const struct comparison *comparison, int sign,
                                              enum metric *metric)
{
    enum verdict wanted = sign > 0 ? VERDICT_WORSE : VERDICT_BETTER;
    for (*metric = 0; *metric < METRIC_JUDGED; ++*metric) {
        const struct comparison_row *row = find_where(comparison, *metric, sign);
        if (row && comparison->rows[0].changes[*metric].verdict == wanted)
            return row;
    }
    return NULL;
}

/* ---- the headline ---- */

/* Lists the latency's metrics of that verdict: "mean +6.1 % and p99 +11.2 %". */
static unsigned list_metrics(const struct comparison_row *row, enum verdict verdict, bool numbers,
                             struct str *out)
{
    unsigned count = 0, written = 0;
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        count += row->changes[m].verdict == verdict;
    for (enum metric m = 0; m < METRIC_JUDGED; m++) {
        if (row->changes[m].verdict != verdict)
            continue;
        written++;
        const char *joint = written == 1 ? "" : written == count ? " and " : ", ";
        str_printf(out, "%s%s", joint, metric_name(m));
        if (numbers)
            str_printf(out, " %s", change_number(row->changes[m].change).text);
    }
    return count;
}

static bool has_verdict(const struct comparison_row *row, enum verdict verdict)
{
    struct str ignored = {0};
    bool has = list_metrics(row, verdict, false, &ignored) > 0;
    str_release(&ignored);
    return has;
}

/* The root ledger says who does it; where it tells nobody from 0, the first factor. */
static bool append_who(const struct comparison *comparison, int sign, bool utf8, struct str *out)
{
    enum difference_way way;
    const struct root_change *line = comparison_who(comparison, sign, &way);
    if (!line)
        return false;
    struct str who = {0};
    root_write_who(line, 48, utf8, &who);
    str_printf(out, " Most of it goes back to %s: %s of A's %s.", str_text(&who),
               change_number(line->changes[way].change).text,
               way == DIFFERENCE_MEAN ? "mean" : "variance");
    str_release(&who);
    return true;
}

static void append_where(const struct comparison *comparison, int sign, bool utf8, struct str *out)
{
    if (append_who(comparison, sign, utf8, out))
        return;
    enum metric metric;
    const struct comparison_row *row = comparison_where(comparison, sign, &metric);
    if (!row)
        return;
    struct str name = {0};
    row_write_name(row, 48, utf8, &name);
    struct number by = number_percent(fabs(row->changes[metric].change));
    if (sign > 0)
        str_printf(out, " Look at %s: its %s grew by %s of the latency's.", str_text(&name),
                   metric_name(metric), by.text);
    else
        str_printf(out, " The %s of %s shrank by %s of the latency's.", metric_name(metric),
                   str_text(&name), by.text);
    str_release(&name);
}

static double most_times_more(const struct comparison_row *row)
{
    double more = 0;
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        if (row->changes[m].verdict == VERDICT_INCONCLUSIVE)
            more = fmax(more, row->changes[m].more);
    return more;
}

/* Two digits are enough: the count is no more than an order of magnitude. */
static uint64_t rounded(double count)
{
    double step = pow(10, fmax(0, floor(log10(fmax(count, 1))) - 1));
    return (uint64_t)(ceil(count / step) * step);
}

/* A metric without an interval for want of anything but intervals has its reason told. */
static bool append_reason(const struct comparison_row *row, struct str *out)
{
    for (enum metric m = 0; m < METRIC_JUDGED; m++) {
        const struct change *change = &row->changes[m];
        if (change->verdict != VERDICT_INCONCLUSIVE || change->gap <= GAP_FEW)
            continue;
        str_printf(out, ". Of the %s: ", metric_name(m));
        change_write_gap(change, m, out);
        str_append_char(out, '.');
        return true;
    }
    return false;
}

static void append_advice(const struct comparison *comparison, struct str *out)
{
    const struct comparison_row *row = &comparison->rows[0];
    double more = most_times_more(row);
    uint64_t fewer = comparison->intervals[comparison->intervals[1] < comparison->intervals[0]];
    list_metrics(row, VERDICT_INCONCLUSIVE, false, out);
    if (append_reason(row, out))
        return;
    if (more <= CHANGE_MOST_TIMES)
        str_printf(out, ". It takes about %s intervals of each side (%.2g times as many).",
                   number_count(rounded(more * (double)fewer)).text, more);
    else
        str_printf(out,
                   ". It takes over %d times as many intervals, runs that differ less, or a wider "
                   "--margin.",
                   CHANGE_MOST_TIMES);
}

/* What else there is to say of the other metrics. */
static void append_others(const struct comparison *comparison, struct str *out)
{
    const struct comparison_row *latency = &comparison->rows[0];
    if (comparison->verdict == VERDICT_WORSE && has_verdict(latency, VERDICT_BETTER)) {
        str_append(out, " It is better too: ");
        list_metrics(latency, VERDICT_BETTER, true, out);
        str_append_char(out, '.');
    }
    if (has_verdict(latency, VERDICT_INCONCLUSIVE)) {
        str_append(out, " Inconclusive: ");
        append_advice(comparison, out);
    }
}

static void append_claim(const struct comparison *comparison, int sign, bool utf8, struct str *out)
{
    enum verdict verdict = sign > 0 ? VERDICT_WORSE : VERDICT_BETTER;
    str_printf(out, "B is %s: ", verdict_name(verdict));
    list_metrics(&comparison->rows[0], verdict, true, out);
    str_printf(out, ", by more than the margin of %s.", number_percent(comparison->margin).text);
    append_where(comparison, sign, utf8, out);
    append_others(comparison, out);
}

/* A side that was starved of its processors says so before it is called better or worse. */
static void append_starved(const struct comparison *comparison, struct str *out)
{
    int side = comparison->starved == STARVED_B;
    if (comparison->starved)
        str_printf(out,
                   "%s was starved of processors: its threads waited for one in %s of the time in "
                   "which they had or wanted it, %s's in %s. ",
                   side ? "B" : "A", number_percent(comparison->waited[side]).text,
                   side ? "A" : "B", number_percent(comparison->waited[!side]).text);
}

void comparison_write_headline(const struct comparison *comparison, bool utf8, struct str *out)
{
    append_starved(comparison, out);
    switch (comparison->verdict) {
    case VERDICT_WORSE:
        append_claim(comparison, 1, utf8, out);
        return;
    case VERDICT_BETTER:
        append_claim(comparison, -1, utf8, out);
        return;
    case VERDICT_SAME:
        str_printf(out,
                   "B is not different: mean, variance and p99 are those of A, within the margin "
                   "of %s.",
                   number_percent(comparison->margin).text);
        return;
    default:
        str_append(out, comparison->may_be_worse
                            ? "Inconclusive: "
                            : "B is not worse. Whether it is better is inconclusive: ");
        append_advice(comparison, out);
    }
}

void comparison_write_rule(const struct comparison *comparison, struct str *out)
{
    double variance = metric_margin(METRIC_VARIANCE, comparison->margin);
    str_printf(out,
               "Worse: the whole interval is above the margin of %s (of a variance %s); better: A "
               "would be worse if the two were swapped; not different: it lies between; otherwise "
               "inconclusive.",
               number_percent(comparison->margin).text, number_percent(variance).text);
}
