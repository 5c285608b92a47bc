#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static void str_reserve(struct str *str, size_t extra)
{
    size_t need = str->length + extra + 1;
    if (need <= str->capacity)
        return;
    size_t capacity = str->capacity ? str->capacity * 2 : 64;
    str->capacity = capacity < need ? need : capacity;
    str->data = memory_resize(str->data, str->capacity);
}

void str_append_bytes(struct str *str, const char *bytes, size_t length)
{
    str_reserve(str, length);
    if (length)
        memcpy(str->data + str->length, bytes, length);
    str->length += length;
    str->data[str->length] = '\0';
}

void str_append(struct str *str, const char *text)
{
    str_append_bytes(str, text, strlen(text));
}

void str_append_char(struct str *str, char c)
{
    str_append_bytes(str, &c, 1);
}

void str_printf(struct str *str, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    str_vprintf(str, format, args);
    va_end(args);
}

void str_vprintf(struct str *str, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    str_reserve(str, (size_t)length);
    vsnprintf(str->data + str->length, (size_t)length + 1, format, again);
    va_end(again);
    str->length += (size_t)length;
}

void str_clear(struct str *str)
{
    str->length = 0;
    if (str->data)
        str->data[0] = '\0';
}

void str_release(struct str *str)
{
    memory_free(str->data);
    *str = (struct str){0};
}

const char *str_text(const struct str *str)
{
    return str->data ? str->data : "";
}

bool str_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && memcmp(text + length - tail, suffix, tail) == 0;
}

bool str_is_one_of(const char *text, const char *const *set, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, set[i]) == 0)
            return true;
    return false;
}

bool str_begins_with_one_of(const char *text, const char *const *set, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_starts_with(text, set[i]))
            return true;
    return false;
}
