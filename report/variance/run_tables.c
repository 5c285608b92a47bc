#include "report/variance/run_tables.h"

#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "base/str.h"

#define TABLE_KIND(name, columns)                                                                  \
    {                                                                                              \
        name, columns, sizeof(columns) / sizeof *(columns)                                         \
    }

static const struct table_column interval_columns[] = {
    {"interval", TABLE_NUMBER, false},  {"host", TABLE_TEXT, false},
    {"pid", TABLE_NUMBER, false},       {"tid", TABLE_NUMBER, false},
    {"type", TABLE_TEXT, false},        {"begin_ns", TABLE_NUMBER, false},
    {"latency_ns", TABLE_NUMBER, false}};
static const struct table_column node_columns[] = {
    {"node", TABLE_NUMBER, false},   {"parent", TABLE_NUMBER, true},
    {"kind", TABLE_TEXT, false},     {"name", TABLE_TEXT, false},
    {"file", TABLE_TEXT, false},     {"line", TABLE_NUMBER, false},
    {"height", TABLE_NUMBER, false}, {"blamed", TABLE_NUMBER, false},
    {"calls", TABLE_NUMBER, false},  {"path", TABLE_TEXT, false}};
static const struct table_column cell_columns[] = {{"interval", TABLE_NUMBER, false},
                                                   {"node", TABLE_NUMBER, false},
                                                   {"own_ns", TABLE_NUMBER, false},
                                                   {"latency_ns", TABLE_NUMBER, false}};

static const struct table_column ledger_columns[] = {
    {"owner", TABLE_NUMBER, false},     {"name", TABLE_TEXT, false},
    {"kind", TABLE_TEXT, false},        {"file", TABLE_TEXT, false},
    {"line", TABLE_NUMBER, false},      {"waited_in", TABLE_TEXT, false},
    {"object", TABLE_TEXT, false},      {"for_another", TABLE_TEXT, false},
    {"thread", TABLE_TEXT, false},      {"sum_ns", TABLE_NUMBER, false},
    {"share_ppm", TABLE_NUMBER, false}, {"tail_share_ppm", TABLE_NUMBER, false},
    {"taken_by", TABLE_TEXT, false}};
static const struct table_column owner_columns[] = {
    {"node", TABLE_NUMBER, false}, {"owner", TABLE_NUMBER, false}, {"kernel", TABLE_TEXT, false}};

const struct table_kind intervals_table = TABLE_KIND("intervals", interval_columns);
const struct table_kind nodes_table = TABLE_KIND("nodes", node_columns);
const struct table_kind cells_table = TABLE_KIND("cells", cell_columns);
const struct table_kind ledger_table = TABLE_KIND("ledger", ledger_columns);
const struct table_kind owners_table = TABLE_KIND("owners", owner_columns);

/* `way` has room for all nodes. */
static void append_path(struct str *path, const struct variance_tree *tree, uint32_t node,
                        uint32_t *way)
{
    uint32_t depth = 0;
    for (uint32_t n = node; n != NODE_NONE; n = tree->nodes[n].parent)
        way[depth++] = n;
    while (depth-- > 0)
        str_printf(path, "%016" PRIx64 "%s", tree->nodes[way[depth]].id, depth ? "/" : "");
}

void nodes_add_all(struct table *nodes, const struct variance_tree *tree)
{
    struct str path = {0};
    uint32_t *way = memory_alloc(sizeof *way * (tree->node_count + 1));
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        str_clear(&path);
        append_path(&path, tree, i, way);
        table_add(nodes, (struct table_value[]){
                             {.number = i},
                             {.number = node->parent, .missing = node->parent == NODE_NONE},
                             {.text = node_kind_name(node->kind)},
                             {.text = node->name},
                             {.text = node->file},
                             {.number = node->line},
                             {.number = node->height},
                             {.number = node->blamed},
                             {.number = (int64_t)node->calls},
                             {.text = str_text(&path)},
                         });
    }
    str_release(&path);
    memory_free(way);
}

static int64_t millionths(double part)
{
    return isfinite(part) ? llround(part * 1e6) : 0;
}

static void add_part(struct table *ledger, const struct variance_tree *tree, uint32_t owner,
                     const struct ledger_line *line, const struct ledger_part *part)
{
    const struct tree_node *waited = part->in ? &tree->nodes[part->waited] : NULL;
    table_add(ledger, (struct table_value[]){
                          {.number = owner},
                          {.text = line->name},
                          {.text = owner_kind_name(line->kind)},
                          {.text = line->file},
                          {.number = line->line},
                          {.text = waited ? waited->plain : NULL},
                          {.text = waited ? waited->object : NULL},
                          {.text = part->type},
                          {.text = part->thread},
                          {.number = (int64_t)part->sums.sum},
                          {.number = millionths(part->sums.share)},
                          {.number = millionths(part->sums.tail_share)},
                          {.text = part->taker},
                      });
}

void ledger_add_all(struct table *ledger, const struct variance_tree *tree,
                    const struct root_ledger *roots)
{
    for (uint32_t i = 0; i < roots->count; i++)
        for (uint32_t p = 0; p < roots->lines[i].part_count; p++)
            add_part(ledger, tree, i, &roots->lines[i], &roots->lines[i].parts[p]);
}

void owners_add_all(struct table *owners, const struct variance_tree *tree)
{
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].owner != NODE_NONE)
            table_add(owners,
                      (struct table_value[]){{.number = n},
                                             {.number = tree->nodes[n].owner},
                                             {.text = wait_kind_kernel(tree->nodes[n].wait)}});
}

void intervals_add(struct table *intervals, const struct cell_row *row,
                   const struct interval_facts *facts)
{
    table_add(intervals, (struct table_value[]){
                             {.number = (int64_t)row->number},
                             {.text = facts->host},
                             {.number = facts->pid},
                             {.number = facts->tid},
                             {.text = facts->type},
                             {.number = facts->begin_ns},
                             {.number = facts->latency_ns},
                         });
}

void cells_add(struct table *cells, const struct cell_row *row, int64_t latency_ns)
{
    for (size_t c = 0; c < row->cell_count; c++)
        table_add(cells, (struct table_value[]){
                             {.number = (int64_t)row->number},
                             {.number = row->cells[c].node},
                             {.number = row->cells[c].own_ns},
                             {.number = latency_ns},
                         });
}
