/* terminal.h - lines of fixed columns, in colour or not, in UTF-8 or ASCII.
 *
 *     terminal_left(&terminal, "lock_wait", 20);
 *     terminal_right(&terminal, "71.8 %", 8);
 *     terminal_end_line(&terminal);              writes it without blanks at the end
 *
 * A line is kept in `line` until it ends. terminal_release frees that buffer.
 */
#ifndef REPORT_KIT_TERMINAL_H
#define REPORT_KIT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/str.h"
#include "report/kit/report.h"

enum paint { PAINT_PLAIN, PAINT_STRONG, PAINT_FAINT, PAINT_WARM, PAINT_COOL };

/* The tables can do with from the least to the most columns; a file has the usual ones. */
enum { TERMINAL_LEAST_COLUMNS = 60, TERMINAL_MOST_COLUMNS = 160, TERMINAL_USUAL_COLUMNS = 100 };

struct terminal {
    FILE *out;
    struct text_style style; /* columns within what the tables can do */
    struct str line;
};

void terminal_init(struct terminal *terminal, const struct text_style *style, FILE *out);
void terminal_release(struct terminal *terminal);

/* Changes the colour; writes nothing without style.color. */
void terminal_paint(struct terminal *terminal, enum paint paint);
void terminal_text(struct terminal *terminal, const char *text); /* as it is */
void terminal_left(struct terminal *terminal, const char *text, size_t columns);
void terminal_right(struct terminal *terminal, const char *text, size_t columns);
/* Draws a bar over `fraction` of `columns`; it is hatched where the time is told twice. A negative
 * one has no length. */
void terminal_bar(struct terminal *terminal, double fraction, size_t columns, bool hatched);
void terminal_end_line(struct terminal *terminal);

/* Writes whole lines, with `first` before the first one and as many blanks before the others. */
void terminal_wrap(struct terminal *terminal, const char *first, const char *text);
/* Chooses one of two spellings, as the terminal can show it. */
const char *terminal_either(const struct terminal *terminal, const char *utf8, const char *ascii);

#endif
