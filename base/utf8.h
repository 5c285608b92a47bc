/* utf8.h - names come from anywhere: valid UTF-8 out of any bytes, and its width on a terminal.
 *
 *     struct str cell = {0};
 *     utf8_fit(&cell, "std::map<std::string, int>::find", 20, true);    "std::map<std::...find"
 *
 * Bad bytes and characters that would move the cursor or the reading direction become U+FFFD ('?'
 * in ASCII, as every character above 126 does). It takes no longer for a name of megabytes. Widths
 * do not depend on the locale. Appends to `out`.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#define UTF8_BAD 0xFFFDu

/* The code point at *text, which moves on; UTF8_BAD for one bad byte; 0 at the end. */
uint32_t utf8_next(const char **text);
void utf8_append(struct str *out, uint32_t point);

/* The text becomes valid UTF-8 with the same characters, controls included. */
void utf8_clean(struct str *out, const char *text);

/* UTF8_BAD in place of what must not be printed. */
uint32_t utf8_shown(uint32_t point);
/* A printable text has nothing that moves the cursor, paints or tells the terminal to do something;
 * with `lines`, ends of lines and tabs stay. */
void utf8_printable(struct str *out, const char *text, bool lines);

/* A JSON text with such characters as \u escapes, where the writer leaves them as they are. */
void utf8_escape_json(struct str *out, const char *json);

/* The text is made to fit on one line, in at most `columns`; what does not fit is cut out of the
 * middle: of what stands before the brackets, where a text ends with some. */
void utf8_fit(struct str *out, const char *text, size_t columns, bool utf8);

/* Columns of text that utf8_fit made. */
size_t utf8_columns(const char *text);

#endif
