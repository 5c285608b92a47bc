#include "report/kit/terminal.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

void terminal_init(struct terminal *terminal, const struct text_style *style, FILE *out)
{
    *terminal = (struct terminal){.out = out, .style = *style};
    unsigned *columns = &terminal->style.columns;
    if (*columns == 0)
        *columns = TERMINAL_USUAL_COLUMNS;
    if (*columns < TERMINAL_LEAST_COLUMNS)
        *columns = TERMINAL_LEAST_COLUMNS;
    if (*columns > TERMINAL_MOST_COLUMNS)
        *columns = TERMINAL_MOST_COLUMNS;
}

void terminal_release(struct terminal *terminal)
{
    str_release(&terminal->line);
}

const char *terminal_either(const struct terminal *terminal, const char *utf8, const char *ascii)
{
    return terminal->style.utf8 ? utf8 : ascii;
}

void terminal_paint(struct terminal *terminal, enum paint paint)
{
    static const char *const codes[] = {"\033[0m", "\033[1m", "\033[2m", "\033[33m", "\033[34m"};
    if (terminal->style.color)
        str_append(&terminal->line, codes[paint]);
}

void terminal_text(struct terminal *terminal, const char *text)
{
    utf8_printable(&terminal->line, text, false);
}

static void blanks(struct str *out, size_t count)
{
    while (count-- > 0)
        str_append_char(out, ' ');
}

static void cell(struct terminal *terminal, const char *text, size_t columns, bool right)
{
    struct str fitted = {0};
    utf8_fit(&fitted, text, columns, terminal->style.utf8);
    size_t rest = columns - utf8_columns(str_text(&fitted));
    blanks(&terminal->line, right ? rest : 0);
    str_append(&terminal->line, str_text(&fitted));
    blanks(&terminal->line, right ? 0 : rest);
    str_release(&fitted);
}

void terminal_left(struct terminal *terminal, const char *text, size_t columns)
{
    cell(terminal, text, columns, false);
}

void terminal_right(struct terminal *terminal, const char *text, size_t columns)
{
    cell(terminal, text, columns, true);
}

static void bar_cells(struct terminal *terminal, size_t eighths, size_t columns, bool hatched)
{
    static const char *const parts[] = {"",       "\u258f", "\u258e", "\u258d",
                                        "\u258c", "\u258b", "\u258a", "\u2589"};
    const char *full = hatched ? terminal_either(terminal, "\u2591", ":")
                               : terminal_either(terminal, "\u2588", "#");
    bool whole_only = hatched || !terminal->style.utf8;
    size_t whole = whole_only ? (eighths + 7) / 8 : eighths / 8;
    for (size_t i = 0; i < whole; i++)
        str_append(&terminal->line, full);
    size_t used = whole;
    if (!whole_only && eighths % 8) {
        str_append(&terminal->line, parts[eighths % 8]);
        used++;
    }
    blanks(&terminal->line, columns - used);
}

void terminal_bar(struct terminal *terminal, double fraction, size_t columns, bool hatched)
{
    if (columns == 0)
        return;
    if (!(fraction >= NUMBER_LEAST_PERCENT)) {
        terminal_paint(terminal, PAINT_COOL);
        terminal_left(terminal, terminal_either(terminal, "\u00b7", "."), columns);
    } else {
        double eighths = ceil((fraction > 1 ? 1 : fraction) * (double)columns * 8 - 0.5);
        terminal_paint(terminal, PAINT_WARM);
        bar_cells(terminal, eighths < 1 ? 1 : (size_t)eighths, columns, hatched);
    }
    terminal_paint(terminal, PAINT_PLAIN);
}

void terminal_end_line(struct terminal *terminal)
{
    struct str *line = &terminal->line;
    while (line->length > 0 && line->data[line->length - 1] == ' ')
        line->length--;
    if (line->length)
        fwrite(line->data, 1, line->length, terminal->out);
    fputc('\n', terminal->out);
    str_clear(line);
}

/* A number and its percent sign are one word. */
static size_t word_bytes(const char *text)
{
    size_t bytes = strcspn(text, " \n");
    if (text[bytes] == ' ' && text[bytes + 1] == '%')
        bytes += 1 + strcspn(text + bytes + 1, " \n");
    return bytes;
}

void terminal_wrap(struct terminal *terminal, const char *first, const char *text)
{
    size_t margin = utf8_columns(first), room = terminal->style.columns - margin, used = 0;
    terminal_text(terminal, first);
    while (*text) {
        size_t bytes = word_bytes(text);
        struct str word = {0}, fitted = {0};
        str_append_bytes(&word, text, bytes);
        utf8_fit(&fitted, str_text(&word), room, terminal->style.utf8);
        size_t wide = utf8_columns(str_text(&fitted));
        if (used && used + 1 + wide > room) {
            terminal_end_line(terminal);
            blanks(&terminal->line, margin);
            used = 0;
        }
        blanks(&terminal->line, used ? 1 : 0);
        terminal_text(terminal, str_text(&fitted));
        used += wide + (used ? 1 : 0);
        text += bytes + strspn(text + bytes, " \n");
        str_release(&word);
        str_release(&fitted);
    }
    terminal_end_line(terminal);
}
