#include "report/kit/parquet.h"

#include "base/memory.h"
#include "report/kit/parquet_column.h"

struct parquet {
    const struct table_kind *kind;
    struct parquet_sink sink;
    struct parquet_column *columns;
    struct str groups; /* the RowGroups that are written, one after the other */
    uint32_t group_count;
    uint64_t row_count; /* of these */
};

static const char MAGIC[4] = {'P', 'A', 'R', '1'};

static void *parquet_begin(const struct table_kind *kind, FILE *out)
{
    struct parquet *parquet = memory_zeroed(sizeof *parquet);
    parquet->kind = kind;
    parquet->sink.out = out;
    parquet->columns = memory_zeroed(sizeof *parquet->columns * kind->column_count);
    for (size_t c = 0; c < kind->column_count; c++)
        parquet->columns[c].column = &kind->columns[c];
    parquet_sink_put(&parquet->sink, MAGIC, sizeof MAGIC);
    return parquet;
}

static void write_group(struct parquet *parquet)
{
    struct thrift group = {0};
    struct parquet_size size = {0};
    uint64_t start = parquet->sink.offset, rows = parquet->columns[0].row_count;
    thrift_list(&group, 1, THRIFT_STRUCT, (uint32_t)parquet->kind->column_count);
    for (size_t c = 0; c < parquet->kind->column_count; c++) {
        struct parquet_size one =
            parquet_column_write(&parquet->columns[c], &parquet->sink, &group);
        size = (struct parquet_size){size.plain + one.plain, size.packed + one.packed};
    }
    thrift_i64(&group, 2, (int64_t)size.plain);
    thrift_i64(&group, 3, (int64_t)rows);
    thrift_i64(&group, 5, (int64_t)start);
    thrift_i64(&group, 6, (int64_t)size.packed);
    thrift_end(&group);
    str_append_bytes(&parquet->groups, group.bytes.data, group.bytes.length);
    str_release(&group.bytes);
    parquet->group_count++;
    parquet->row_count += rows;
}

static void parquet_add(void *state, const struct table_value *row)
{
    struct parquet *parquet = state;
    bool full = false;
    for (size_t c = 0; c < parquet->kind->column_count; c++) {
        parquet_column_add(&parquet->columns[c], &row[c]);
        full |= parquet->columns[c].row_count == PARQUET_GROUP_ROWS ||
                parquet->columns[c].text_bytes >= PARQUET_GROUP_TEXT_BYTES;
    }
    if (full)
        write_group(parquet);
}

/* ---- the metadata ---- */

/* UTF8 is said twice: as readers of before 2017 know it, and as those of today do. */
static void put_column(struct thrift *file, const struct table_column *column)
{
    bool text = column->type == TABLE_TEXT;
    thrift_begin(file, THRIFT_ITEM);
    thrift_i32(file, 1, text ? PARQUET_BYTE_ARRAY : PARQUET_INT64);
    thrift_i32(file, 3, column->optional ? PARQUET_OPTIONAL : PARQUET_REQUIRED);
    thrift_text(file, 4, column->name);
    if (text) {
        thrift_i32(file, 6, 0);
        thrift_begin(file, 10);
        thrift_begin(file, 1);
        thrift_end(file);
        thrift_end(file);
    }
    thrift_end(file);
}

static void put_schema(struct thrift *file, const struct table_kind *kind)
{
    thrift_list(file, 2, THRIFT_STRUCT, (uint32_t)kind->column_count + 1);
    thrift_begin(file, THRIFT_ITEM);
    thrift_text(file, 4, kind->name);
    thrift_i32(file, 5, (int32_t)kind->column_count);
    thrift_end(file);
    for (size_t c = 0; c < kind->column_count; c++)
        put_column(file, &kind->columns[c]);
}

/* The orders say that least and greatest are those of signed numbers; a reader may not use them
 * without. */
static void put_column_orders(struct thrift *file, const struct table_kind *kind)
{
    thrift_list(file, 7, THRIFT_STRUCT, (uint32_t)kind->column_count);
    for (size_t c = 0; c < kind->column_count; c++) {
        thrift_begin(file, THRIFT_ITEM);
        thrift_begin(file, 1);
        thrift_end(file);
        thrift_end(file);
    }
}

static void write_metadata(struct parquet *parquet)
{
    struct thrift file = {0};
    thrift_i32(&file, 1, 2);
    put_schema(&file, parquet->kind);
    thrift_i64(&file, 3, (int64_t)parquet->row_count);
    thrift_list(&file, 4, THRIFT_STRUCT, parquet->group_count);
    str_append_bytes(&file.bytes, str_text(&parquet->groups), parquet->groups.length);
    thrift_text(&file, 6, "vprofiler version " VPROFILER_VERSION);
    put_column_orders(&file, parquet->kind);
    thrift_end(&file);
    parquet_append(&file.bytes, file.bytes.length, 4);
    str_append_bytes(&file.bytes, MAGIC, sizeof MAGIC);
    parquet_sink_put(&parquet->sink, file.bytes.data, file.bytes.length);
    str_release(&file.bytes);
}

static void parquet_end(void *state)
{
    struct parquet *parquet = state;
    if (parquet->columns[0].row_count > 0)
        write_group(parquet);
    write_metadata(parquet);
    for (size_t c = 0; c < parquet->kind->column_count; c++)
        parquet_column_release(&parquet->columns[c]);
    memory_free(parquet->columns);
    str_release(&parquet->groups);
    memory_free(parquet);
}

const struct table_format parquet_format = {
    .suffix = "parquet", .begin = parquet_begin, .add = parquet_add, .end = parquet_end};
