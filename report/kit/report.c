#include "report/kit/report.h"

const char *report_schema(const struct report *report)
{
    return report->part_count ? report->parts[0].family->schema : "";
}

void report_write_headline(const struct report *report, size_t columns, bool utf8, struct str *out)
{
    const struct report_part *first = report->parts;
    if (report->part_count && first->family->headline)
        first->family->headline(report, first->result, columns, utf8, out);
}
