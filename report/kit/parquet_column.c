#include "report/kit/parquet_column.h"

#include <string.h>
#define ZLIB_CONST /* next_in does not write */
#include <zlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"

enum { GZIP_LEVEL = 4, GZIP_WINDOW = 15 + 16 /* gzip's header, not zlib's */ };

void parquet_sink_put(struct parquet_sink *sink, const void *bytes, size_t size_bytes)
{
    fwrite(bytes, 1, size_bytes, sink->out);
    sink->offset += size_bytes;
}

void parquet_append(struct str *out, uint64_t value, unsigned size_bytes)
{
    char bytes[8];
    for (unsigned i = 0; i < size_bytes; i++)
        bytes[i] = (char)(value >> 8 * i);
    str_append_bytes(out, bytes, size_bytes);
}

/* ---- values ---- */

static void add_number(struct parquet_column *column, int64_t number)
{
    parquet_append(&column->plain, (uint64_t)number, 8);
    if (column->value_count == 0 || number < column->least)
        column->least = number;
    if (column->value_count == 0 || number > column->greatest)
        column->greatest = number;
}

static void add_text(struct parquet_column *column, const char *text)
{
    struct str clean = {0};
    size_t known = column->texts.count;
    utf8_clean(&clean, text ? text : "");
    VEC_PUSH(column->places.items, column->places.count, column->places.capacity) =
        intern_add(&column->texts, str_text(&clean));
    if (column->texts.count > known)
        column->text_bytes += clean.length;
    str_release(&clean);
}

void parquet_column_add(struct parquet_column *column, const struct table_value *value)
{
    if (column->column->optional)
        VEC_PUSH(column->present.items, column->present.count, column->present.capacity) =
            !value->missing;
    column->row_count++;
    if (value->missing)
        return;
    if (column->column->type == TABLE_NUMBER)
        add_number(column, value->number);
    else
        add_text(column, value->text);
    column->value_count++;
}

/* ---- encodings ---- */

/* The RLE/bit-packing hybrid is written as one bit-packed run: eights of values, the first in the
 * lowest bits. */
static void pack_bits(struct str *out, const struct parquet_numbers *numbers, unsigned width)
{
    size_t eights = (numbers->count + 7) / 8;
    uint64_t bits = 0;
    unsigned held = 0;
    thrift_varint(out, eights << 1 | 1);
    for (size_t i = 0; i < eights * 8; i++) {
        bits |= (uint64_t)(i < numbers->count ? numbers->items[i] : 0) << held;
        for (held += width; held >= 8; held -= 8, bits >>= 8)
            str_append_char(out, (char)bits);
    }
}

static unsigned width_of(size_t count)
{
    unsigned width = 1;
    while (count > (size_t)1 << width)
        width++;
    return width;
}

static void append_levels(struct str *page, const struct parquet_column *column)
{
    struct str levels = {0};
    pack_bits(&levels, &column->present, 1);
    parquet_append(page, levels.length, 4);
    str_append_bytes(page, levels.data, levels.length);
    str_release(&levels);
}

static void append_values(struct str *page, const struct parquet_column *column)
{
    if (column->column->type == TABLE_NUMBER) {
        str_append_bytes(page, str_text(&column->plain), column->plain.length);
        return;
    }
    unsigned width = width_of(column->texts.count);
    str_append_char(page, (char)width);
    pack_bits(page, &column->places, width);
}

static void append_dictionary(struct str *page, const struct parquet_column *column)
{
    for (size_t i = 0; i < column->texts.count; i++) {
        size_t length = strlen(column->texts.text[i]);
        parquet_append(page, length, 4);
        str_append_bytes(page, column->texts.text[i], length);
    }
}

static void gzip(struct str *out, const struct str *in)
{
    z_stream stream = {.next_in = (const Bytef *)str_text(in), .avail_in = (uInt)in->length};
    if (deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        BUG("zlib could not start");
    size_t room = deflateBound(&stream, in->length);
    char *packed = memory_alloc(room);
    stream.next_out = (Bytef *)packed;
    stream.avail_out = (uInt)room;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
        BUG("zlib took more than its bound");
    str_append_bytes(out, packed, stream.total_out);
    deflateEnd(&stream);
    memory_free(packed);
}

/* ---- pages ---- */

/* DataPageHeader has these fields, DictionaryPageHeader all but the last two. */
static void page_facts(struct thrift *header, int32_t type, size_t value_count, int32_t encoding)
{
    thrift_begin(header, type == PARQUET_DATA_PAGE ? 5 : 7);
    thrift_i32(header, 1, (int32_t)value_count);
    thrift_i32(header, 2, encoding);
    if (type == PARQUET_DATA_PAGE) {
        thrift_i32(header, 3, PARQUET_RLE);
        thrift_i32(header, 4, PARQUET_RLE);
    }
    thrift_end(header);
}

static struct parquet_size write_page(struct parquet_sink *sink, const struct str *page,
                                      int32_t type, size_t value_count, int32_t encoding)
{
    struct thrift header = {0};
    struct str packed = {0};
    gzip(&packed, page);
    thrift_i32(&header, 1, type);
    thrift_i32(&header, 2, (int32_t)page->length);
    thrift_i32(&header, 3, (int32_t)packed.length);
    thrift_i32(&header, 4, (int32_t)crc32(0, (const Bytef *)packed.data, (uInt)packed.length));
    page_facts(&header, type, value_count, encoding);
    thrift_end(&header);
    struct parquet_size size = {header.bytes.length + page->length,
                                header.bytes.length + packed.length};
    parquet_sink_put(sink, header.bytes.data, header.bytes.length);
    parquet_sink_put(sink, packed.data, packed.length);
    str_release(&header.bytes);
    str_release(&packed);
    return size;
}

static struct parquet_size write_dictionary(struct parquet_column *column,
                                            struct parquet_sink *sink)
{
    struct str page = {0};
    append_dictionary(&page, column);
    struct parquet_size size =
        write_page(sink, &page, PARQUET_DICTIONARY_PAGE, column->texts.count, PARQUET_PLAIN);
    str_release(&page);
    return size;
}

static struct parquet_size write_data(struct parquet_column *column, struct parquet_sink *sink)
{
    struct str page = {0};
    if (column->column->optional)
        append_levels(&page, column);
    append_values(&page, column);
    struct parquet_size size =
        write_page(sink, &page, PARQUET_DATA_PAGE, column->row_count,
                   column->column->type == TABLE_NUMBER ? PARQUET_PLAIN : PARQUET_RLE_DICTIONARY);
    str_release(&page);
    return size;
}

/* ---- the chunk ---- */

static void put_encodings(struct thrift *chunk, const struct table_column *column)
{
    bool text = column->type == TABLE_TEXT;
    thrift_list(chunk, 2, THRIFT_I32, 2u + text);
    thrift_i32(chunk, THRIFT_ITEM, PARQUET_PLAIN);
    thrift_i32(chunk, THRIFT_ITEM, PARQUET_RLE);
    if (text)
        thrift_i32(chunk, THRIFT_ITEM, PARQUET_RLE_DICTIONARY);
}

static void put_extreme(struct thrift *chunk, int field, int64_t value)
{
    struct str plain = {0};
    parquet_append(&plain, (uint64_t)value, 8);
    thrift_binary(chunk, field, plain.data, plain.length);
    str_release(&plain);
}

/* A reader skips row groups by their Statistics. */
static void put_statistics(struct thrift *chunk, const struct parquet_column *column)
{
    thrift_begin(chunk, 12);
    thrift_i64(chunk, 3, (int64_t)(column->row_count - column->value_count));
    if (column->column->type == TABLE_NUMBER && column->value_count > 0) {
        put_extreme(chunk, 5, column->greatest);
        put_extreme(chunk, 6, column->least);
    }
    thrift_end(chunk);
}

static void column_empty(struct parquet_column *column)
{
    intern_release(&column->texts);
    column->texts = (struct intern){0};
    str_clear(&column->plain);
    column->places.count = column->present.count = 0;
    column->text_bytes = 0;
    column->row_count = column->value_count = 0;
}

/* ColumnMetaData tells where the data page (`data_start`) and the first page (`start`) begin. */
static void put_chunk(struct thrift *chunk, const struct parquet_column *column,
                      struct parquet_size size, uint64_t start, uint64_t data_start)
{
    bool text = column->column->type == TABLE_TEXT;
    thrift_begin(chunk, 3);
    thrift_i32(chunk, 1, text ? PARQUET_BYTE_ARRAY : PARQUET_INT64);
    put_encodings(chunk, column->column);
    thrift_list(chunk, 3, THRIFT_TEXT, 1);
    thrift_text(chunk, THRIFT_ITEM, column->column->name);
    thrift_i32(chunk, 4, PARQUET_GZIP);
    thrift_i64(chunk, 5, (int64_t)column->row_count);
    thrift_i64(chunk, 6, (int64_t)size.plain);
    thrift_i64(chunk, 7, (int64_t)size.packed);
    thrift_i64(chunk, 9, (int64_t)data_start);
    if (text)
        thrift_i64(chunk, 11, (int64_t)start);
    put_statistics(chunk, column);
    thrift_end(chunk);
}

struct parquet_size parquet_column_write(struct parquet_column *column, struct parquet_sink *sink,
                                         struct thrift *chunk)
{
    uint64_t start = sink->offset;
    struct parquet_size size = {0};
    if (column->column->type == TABLE_TEXT)
        size = write_dictionary(column, sink);
    uint64_t data_start = sink->offset;
    struct parquet_size data = write_data(column, sink);
    size = (struct parquet_size){size.plain + data.plain, size.packed + data.packed};
    thrift_begin(chunk, THRIFT_ITEM);
    thrift_i64(chunk, 2, 0); /* file_offset, which writers must set to 0 */
    put_chunk(chunk, column, size, start, data_start);
    thrift_end(chunk);
    column_empty(column);
    return size;
}

void parquet_column_release(struct parquet_column *column)
{
    column_empty(column);
    str_release(&column->plain);
    memory_free(column->places.items);
    memory_free(column->present.items);
}
