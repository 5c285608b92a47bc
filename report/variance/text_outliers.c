#include "report/variance/outlier_words.h"
#include "report/variance/text_parts.h"

void text_outliers(const struct variance_report *report, struct terminal *terminal)
{
    struct str text = {0};
    if (!report->others)
        return;
    outliers_write_note(report, &text);
    terminal_wrap(terminal, "  ", text.data);
    terminal_end_line(terminal);
    str_release(&text);
}
