#include "report/csv.h"

#include <inttypes.h>

#include "report/utf8.h"

static void csv_text(FILE *out, const char *text)
{
    struct str clean = {0};
    utf8_clean(&clean, text ? text : "");
    putc('"', out);
    for (const char *c = str_text(&clean); *c; c++) {
        if (*c == '"')
            putc('"', out);
        putc(*c, out);
    }
    putc('"', out);
    str_release(&clean);
}

void csv_begin_intervals(FILE *out)
{
    fputs("interval,host,pid,tid,type,begin_ns,latency_ns\r\n", out);
}

void csv_add_interval(FILE *out, const struct cell_row *row, const struct csv_interval *interval)
{
    fprintf(out, "%" PRIu64 ",", row->number);
    csv_text(out, interval->host);
    fprintf(out, ",%" PRIu32 ",%" PRIu32 ",", interval->pid, interval->tid);
    csv_text(out, interval->type);
    fprintf(out, ",%" PRId64 ",%" PRId64 "\r\n", interval->begin_ns, interval->latency_ns);
}

void csv_write_nodes(FILE *out, const struct variance_tree *tree)
{
    fputs("node,parent,kind,name,file,line,height,blamed,calls\r\n", out);
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        fprintf(out, "%" PRIu32 ",", i);
        if (node->parent != NODE_NONE)
            fprintf(out, "%" PRIu32, node->parent);
        putc(',', out);
        csv_text(out, node_kind_name(node->kind));
        putc(',', out);
        csv_text(out, node->name);
        putc(',', out);
        csv_text(out, node->file);
        fprintf(out, ",%" PRIu32 ",%" PRIu32 ",%d,%" PRIu64 "\r\n", node->line, node->height,
                node->blamed, node->calls);
    }
}

void csv_begin_cells(FILE *out)
{
    fputs("interval,node,own_ns,latency_ns\r\n", out);
}

void csv_add_cells(FILE *out, const struct cell_row *row, const struct csv_interval *interval)
{
    for (size_t c = 0; c < row->cell_count; c++)
        fprintf(out, "%" PRIu64 ",%" PRIu32 ",%" PRId64 ",%" PRId64 "\r\n", row->number,
                row->cells[c].node, row->cells[c].own_ns, interval->latency_ns);
}
