#include "report/variance/outlier_words.h"

#include "base/number.h"
#include "base/utf8.h"
#include "report/variance/ledger_words.h"

static void write_took(const struct outliers *outliers, bool utf8, struct str *out)
{
    if (outliers->count == 1) {
        str_printf(out, "one interval took %s, %s into the run, and has ",
                   number_ns((double)outliers->most_ns, utf8).text,
                   number_ns((double)outliers->begin_ns, utf8).text);
        return;
    }
    str_printf(out, "%u intervals took %s", outliers->count,
               number_ns((double)outliers->least_ns, utf8).text);
    str_printf(out, " to %s and have ", number_ns((double)outliers->most_ns, utf8).text);
}

void outliers_write(const struct variance_report *report, size_t columns, bool utf8,
                    struct str *out)
{
    const struct outliers *outliers = report->outliers;
    const struct ledger_line *cause = outliers->cause;
    write_took(outliers, utf8, out);
    str_printf(out, "%s of the variance alone", number_percent_short(outliers->part).text);
    if (!cause || outliers->cause_ns <= 0)
        return;
    str_printf(out, ": %s of %s time go back to ", number_ns(outliers->cause_ns, utf8).text,
               outliers->count == 1 ? "its" : "their");
    ledger_write_who(cause, columns, utf8, out);
    const struct ledger_way *way = ledger_line_way(cause);
    if (way) {
        str_append(out, ", ");
        ledger_write_way(way, columns, utf8, out);
    }
}

void outliers_write_note(const struct variance_report *report, struct str *out)
{
    uint32_t count = report->outliers->count;
    str_append(out, "Shares are without ");
    if (count == 1)
        str_append(out, "that interval");
    else
        str_printf(out, "those %u intervals", count);
    str_append(out, "; percentiles and the histogram have all.");
}
