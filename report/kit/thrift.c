#include "report/kit/thrift.h"

#include <string.h>

#include "base/error.h"

void thrift_varint(struct str *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        str_append_char(out, (char)(value | 0x80));
    str_append_char(out, (char)value);
}

static void zigzag(struct thrift *thrift, int64_t value)
{
    thrift_varint(&thrift->bytes, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static void header(struct thrift *thrift, int field, enum thrift_type type)
{
    if (field == THRIFT_ITEM)
        return;
    int *last = &thrift->last[thrift->depth];
    if (field <= *last || field - *last > 15)
        BUG("a field of a thrift struct out of order");
    str_append_char(&thrift->bytes, (char)((field - *last) << 4 | (int)type));
    *last = field;
}

void thrift_i32(struct thrift *thrift, int field, int32_t value)
{
    header(thrift, field, THRIFT_I32);
    zigzag(thrift, value);
}

void thrift_i64(struct thrift *thrift, int field, int64_t value)
{
    header(thrift, field, THRIFT_I64);
    zigzag(thrift, value);
}

void thrift_binary(struct thrift *thrift, int field, const void *bytes, size_t size_bytes)
{
    header(thrift, field, THRIFT_TEXT);
    thrift_varint(&thrift->bytes, size_bytes);
    str_append_bytes(&thrift->bytes, bytes, size_bytes);
}

void thrift_text(struct thrift *thrift, int field, const char *text)
{
    thrift_binary(thrift, field, text, strlen(text));
}

void thrift_list(struct thrift *thrift, int field, enum thrift_type of, uint32_t count)
{
    header(thrift, field, THRIFT_LIST);
    str_append_char(&thrift->bytes, (char)((count < 15 ? count : 15) << 4 | of));
    if (count >= 15)
        thrift_varint(&thrift->bytes, count);
}

void thrift_begin(struct thrift *thrift, int field)
{
    header(thrift, field, THRIFT_STRUCT);
    if (++thrift->depth == THRIFT_DEPTH)
        BUG("thrift structs too deep");
    thrift->last[thrift->depth] = 0;
}

void thrift_end(struct thrift *thrift)
{
    str_append_char(&thrift->bytes, 0);
    thrift->depth -= thrift->depth > 0;
}
