#include "report/kit/interval_words.h"

#include "base/number.h"

void tail_write_name(const struct interval_summary *intervals, struct str *out)
{
    uint64_t whole = intervals->count, tail = intervals->tail_count;
    if (tail * 1000 >= whole * 5 && tail * 1000 <= whole * 15)
        str_append(out, "the slowest 1 %");
    else
        str_printf(out, "the slowest %s", number_count(tail).text);
}

void rounds_write(const struct report *report, struct str *out)
{
    if (!report->going_on)
        str_printf(out, "%u round%s", report->rounds, number_plural(report->rounds));
    else if (report->most_rounds)
        str_printf(out, "round %u of at most %u", report->rounds, report->most_rounds);
    else
        str_printf(out, "round %u, and no limit to them", report->rounds);
}
