#include "report/variance/outlier_words.h"

#include "base/number.h"
#include "base/utf8.h"
#include "report/variance/ledger_words.h"

static void write_took(const struct outliers *outliers, bool utf8, struct str *out)
{
    if (outliers->count == 1) {
        str_printf(out, "one interval of %s, %s into the run, has ",
                   number_ns((double)outliers->most_ns, utf8).text,
                   number_ns((double)outliers->begin_ns, utf8).text);
        return;
    }
    str_printf(out, "%u intervals of %s", outliers->count,
               number_ns((double)outliers->least_ns, utf8).text);
    str_printf(out, " to %s have ", number_ns((double)outliers->most_ns, utf8).text);
}

void outliers_write(const struct variance_report *report, size_t columns, bool utf8,
                    struct str *out)
{
    const struct outliers *outliers = report->outliers;
    const struct ledger_line *cause = outliers->cause;
    write_took(outliers, utf8, out);
    str_printf(out, "%s of the variance by %s", number_percent_short(outliers->part).text,
               outliers->count == 1 ? "itself" : "themselves");
    if (!cause || outliers->cause_ns <= 0)
        return;
    str_printf(out, ": %s of it goes back to ", number_ns(outliers->cause_ns, utf8).text);
    ledger_write_who(cause, columns, utf8, out);
    const struct ledger_way *way = ledger_line_way(cause);
    if (way) {
        str_append(out, ", in ");
        utf8_fit(out, way->name, columns, utf8);
    }
}

void outliers_write_note(const struct variance_report *report, struct str *out)
{
    const struct outliers *outliers = report->outliers;
    if (outliers->count == 1)
        str_append(out,
                   "All parts below are without the slowest interval, which owns the variance.");
    else
        str_printf(out,
                   "All parts below are without the %u slowest intervals, which own the variance.",
                   outliers->count);
}
