/* str.h - a string that grows.
 *
 *     struct str text = {0};
 *     str_printf(&text, "%s:%d", file, line);
 *     puts(text.data);
 *     str_release(&text);
 *
 * A zeroed struct is the empty string; after any append `data` ends with a zero byte that `length`
 * does not count. Owns `data`.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct str {
    char *data;
    size_t length;
    size_t capacity;
};

void str_append(struct str *str, const char *text);
void str_append_bytes(struct str *str, const char *bytes, size_t length);
void str_append_char(struct str *str, char c);
void str_vprintf(struct str *str, const char *format, va_list args);
void str_printf(struct str *str, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_clear(struct str *str); /* the empty string again; keeps the memory */
void str_release(struct str *str);
const char *str_text(const struct str *str); /* never NULL */

bool str_starts_with(const char *text, const char *prefix);
bool str_ends_with(const char *text, const char *suffix);
/* The text is one of an array of texts, or begins with one of them. */
#define STR_IS_ONE_OF(text, set) str_is_one_of(text, set, sizeof(set) / sizeof((set)[0]))
#define STR_BEGINS_WITH_ONE_OF(text, set)                                                          \
    str_begins_with_one_of(text, set, sizeof(set) / sizeof((set)[0]))
bool str_is_one_of(const char *text, const char *const *set, size_t count);
bool str_begins_with_one_of(const char *text, const char *const *set, size_t count);

#endif
