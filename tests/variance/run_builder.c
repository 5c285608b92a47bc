#include "run_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "interval/row_list.h"
#include "symbol/callee_table.h"
#include "symbol/object_naming.h"
#include "variance/critical_path.h"
#include "variance/interval_table.h"

void run_builder_init(struct run_builder *b)
{
    *b = (struct run_builder){0};
    b->process.maps = "";
    b->process.program = "test";
    b->run.processes = &b->process;
    b->run.process_count = 1;
    b->run.clock = "tsc";
    VEC_PUSH(b->table.probes, b->table.probe_count, b->probe_capacity) =
        (struct probe_info){PROBE_NONE, FUNCTION_NONE, FUNCTION_NONE, 0, "", NULL};
}

void run_builder_release(struct run_builder *b)
{
    for (uint32_t t = 0; t < b->run.thread_count; t++) {
        memory_free(b->run.threads[t].spans);
        memory_free(b->run.threads[t].labels);
        memory_free(b->run.threads[t].blocks);
        memory_free(b->run.threads[t].pickups);
    }
    for (uint32_t f = 0; f < b->table.function_count; f++)
        memory_free(b->table.functions[f].callees);
    memory_free(b->run.threads);
    memory_free(b->run.intervals);
    memory_free(b->table.functions);
    memory_free(b->table.probes);
    memory_free(b->built);
    memory_free(b->text);
}

uint32_t run_builder_function(struct run_builder *b, const char *name, bool body)
{
    VEC_PUSH(b->table.functions, b->table.function_count, b->function_capacity) =
        (struct function_info){.name = name,
                               .symbol = name,
                               .file = body ? "test.c" : "",
                               .line = body ? b->table.function_count : 0,
                               .body = body};
    return b->table.function_count - 1;
}

void run_builder_call(struct run_builder *b, uint32_t caller, uint32_t callee)
{
    struct function_info *f = &b->table.functions[caller];
    f->callees = memory_resize(f->callees, sizeof *f->callees * (f->callee_count + 1));
    f->callees[f->callee_count++] = callee;
}

uint32_t run_builder_probe(struct run_builder *b, enum probe_kind kind, uint32_t function,
                           uint32_t within)
{
    VEC_PUSH(b->table.probes, b->table.probe_count, b->probe_capacity) =
        (struct probe_info){kind, function, within, 1000 + b->table.probe_count, "", NULL};
    return b->table.probe_count - 1;
}

uint32_t run_builder_thread(struct run_builder *b, uint32_t tid)
{
    VEC_PUSH(b->run.threads, b->run.thread_count, b->thread_capacity) =
        (struct timeline_thread){.tid = tid};
    VEC_PUSH(b->built, b->built_count, b->built_capacity) =
        (struct built_thread){.open = SPAN_NONE};
    return b->run.thread_count - 1;
}

void run_builder_enter(struct run_builder *b, uint32_t thread, time_ns time, uint32_t probe,
                       uint64_t target)
{
    struct timeline_thread *t = &b->run.threads[thread];
    struct built_thread *built = &b->built[thread];
    VEC_PUSH(t->spans, t->span_count, built->span_capacity) =
        (struct span){time, INT64_MAX, probe, built->open, target, 0};
    built->open = t->span_count - 1;
}

void run_builder_leave(struct run_builder *b, uint32_t thread, time_ns time)
{
    struct span *span = &b->run.threads[thread].spans[b->built[thread].open];
    span->end = time;
    b->built[thread].open = span->parent;
}

void run_builder_label(struct run_builder *b, uint32_t thread, time_ns time, uint32_t interval)
{
    struct timeline_thread *t = &b->run.threads[thread];
    VEC_PUSH(t->labels, t->label_count, b->built[thread].label_capacity) =
        (struct label){time, interval};
}

void run_builder_block(struct run_builder *b, uint32_t thread, struct block block)
{
    struct timeline_thread *t = &b->run.threads[thread];
    VEC_PUSH(t->blocks, t->block_count, b->built[thread].block_capacity) = block;
}

void run_builder_pickup(struct run_builder *b, uint32_t thread, struct pickup pickup)
{
    struct timeline_thread *t = &b->run.threads[thread];
    VEC_PUSH(t->pickups, t->pickup_count, b->built[thread].pickup_capacity) = pickup;
}

uint32_t run_builder_interval(struct run_builder *b, uint32_t begin_thread, time_ns begin,
                              uint32_t end_thread, time_ns end)
{
    VEC_PUSH(b->run.intervals, b->run.interval_count, b->interval_capacity) =
        (struct interval){.id = b->run.interval_count,
                          .type = "",
                          .complete = true,
                          .begin = begin,
                          .end = end,
                          .begin_thread = begin_thread,
                          .end_thread = end_thread};
    return b->run.interval_count - 1;
}

static void print_path(struct str *text, const struct interval_table *table,
                       const struct callee_table *callees, uint32_t node)
{
    const struct table_node *n = &table->nodes[node];
    if (node == TABLE_ROOT)
        return;
    print_path(text, table, callees, n->parent);
    if (n->parent != TABLE_ROOT)
        str_append_char(text, '/');
    const char *name = callees->items[n->callee].name;
    const char *format = n->kind == NODE_WOKEN_BY      ? "<%s"
                         : n->kind == NODE_WAIT        ? "(%s)"
                         : n->kind == NODE_QUEUE       ? "[%s]"
                         : n->kind == NODE_FOR_ANOTHER ? "{%s}"
                         : n->kind == NODE_UNEXPLAINED ? "?"
                                                       : "%s";
    char part[256];
    snprintf(part, sizeof part, format, name);
    str_append(text, part);
}

static int text_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What is said of each row. */
struct printing {
    struct str text;
    const struct row_list *rows;
    const struct interval_table *table;
    const struct callee_table *callees;
};

static void print_row(void *context, uint64_t row)
{
    struct printing *printing = context;
    const struct interval_table *table = printing->table;
    char **cells = memory_alloc(sizeof *cells * table->cell_count);
    size_t count = table->cell_count;
    for (size_t i = 0; i < count; i++) {
        const struct table_cell *cell = &table->cells[i];
        struct str line = {0};
        print_path(&line, table, printing->callees, cell->node);
        str_printf(&line, "%s %lld", cell->node == TABLE_ROOT ? "." : "", (long long)cell->own_ns);
        cells[i] = line.data;
    }
    qsort(cells, count, sizeof *cells, text_order);
    str_printf(&printing->text, "interval %u:", printing->rows->intervals[row]);
    for (size_t i = 0; i < count; i++) {
        str_printf(&printing->text, "%s%s", i ? "; " : " ", cells[i]);
        free(cells[i]);
    }
    str_append(&printing->text, "\n");
    memory_free(cells);
}

static const char *rows_of(struct run_builder *b, const struct timelines *run, bool told_apart)
{
    struct callee_table callees;
    struct interval_table table;
    struct row_list rows;
    struct printing printing = {.rows = &rows, .table = &table, .callees = &callees};
    callee_table_init(&callees, run, &b->table);
    if (told_apart)
        object_naming_fill(&callees);
    interval_table_init(&table, NULL);
    row_list_init(&rows, run);
    critical_path_visit(&table, run, &rows, &callees, print_row, &printing);
    row_list_release(&rows);
    interval_table_release(&table);
    callee_table_release(&callees);
    memory_free(b->text);
    b->text = printing.text.data;
    return str_text(&printing.text);
}

const char *run_builder_rows_of(struct run_builder *b, const struct timelines *run)
{
    return rows_of(b, run, false);
}

const char *run_builder_rows_by_object(struct run_builder *b, const struct timelines *run)
{
    return rows_of(b, run, true);
}

const char *run_builder_rows(struct run_builder *b)
{
    return run_builder_rows_of(b, &b->run);
}

bool run_builder_expect(struct run_builder *b, const char *name, const char *expected)
{
    const char *rows = run_builder_rows(b);
    if (!strcmp(rows, expected))
        return true;
    printf("%s:\n  expected %s  but got  %s", name, expected, rows);
    return false;
}
