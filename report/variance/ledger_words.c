#include "report/variance/ledger_words.h"

#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

enum { PLACE_COLUMNS = 60 };
#define MOST_OF_IT 0.5

bool ledger_line_doubtful(const struct ledger_line *line)
{
    return !(line->ci95[0] > 0 || line->ci95[1] < 0);
}

bool ledger_line_is_mixed(const struct ledger_line *line)
{
    double least = LEDGER_SIDE * line->all.share;
    return line->own.share > least && line->waits.share > least;
}

const struct ledger_part *ledger_line_wait(const struct ledger_line *line)
{
    for (uint32_t i = 0; i < line->part_count; i++)
        if (line->parts[i].in)
            return &line->parts[i];
    return NULL;
}

const struct ledger_way *ledger_line_way(const struct ledger_line *line)
{
    const struct ledger_way *first = line->way_count ? &line->ways[0] : NULL;
    return first && first->name && first->sums.share >= MOST_OF_IT * line->all.share ? first : NULL;
}

void ledger_write_way(const struct ledger_way *way, size_t columns, bool utf8, struct str *out)
{
    str_append(out, way->waits ? "waiting (" : "calling ");
    utf8_fit(out, way->name, columns, utf8);
    str_append(out, way->waits ? ")" : "");
}

bool ledger_part_is_told(const struct ledger_part *part)
{
    return part->in || part->taker;
}

void named_place_write(const char *name, const char *file, uint32_t line, size_t columns, bool utf8,
                       struct str *out)
{
    utf8_fit(out, name, columns, utf8);
    if (!file[0])
        return;
    struct str place = {0};
    str_append(&place, file);
    if (line)
        str_printf(&place, ":%u", line);
    str_append(out, " (");
    utf8_fit(out, place.data, PLACE_COLUMNS, utf8);
    str_append(out, ")");
    str_release(&place);
}

void ledger_write_who(const struct ledger_line *line, size_t columns, bool utf8, struct str *out)
{
    const char *file = line->kind == OWNER_OUTSIDE ? "" : line->file;
    named_place_write(line->name, file, line->line, columns, utf8, out);
}

/* The lock that requests wait for while its holder waits for another one; NULL where there is none between. */
static const struct tree_node *lock_before(const struct variance_tree *tree,
                                           const struct tree_node *waited)
{
    const struct tree_node *first = NULL;
    if (waited->kind == NODE_QUEUE || waited->kind == NODE_WAIT)
        return NULL;
    for (const struct tree_node *node = waited; node != tree->nodes;
         node = &tree->nodes[node->parent])
        if (node->lock)
            first = node;
    bool same = first && waited->lock && strcmp(first->object, waited->object) == 0;
    return first == waited || same ? NULL : first;
}

void ledger_write_wait(const struct variance_tree *tree, const struct ledger_part *part,
                       size_t columns, bool utf8, struct str *out)
{
    const struct tree_node *waited = &tree->nodes[part->waited];
    const struct tree_node *before = lock_before(tree, waited);
    if (before) {
        str_append(out, "wait for ");
        utf8_fit(out, before->object, columns, utf8);
        str_append(out, waited->lock ? ", whose holder waits for " : ", whose holder waits in ");
    } else if (waited->wait == WAIT_HAND_OVER)
        str_append(out, "lie in an undeclared queue");
    else if (waited->kind == NODE_WAIT)
        str_append(out, "wait for their thread");
    else
        str_append(out, waited->kind == NODE_QUEUE ? "lie in the queue "
                        : waited->lock             ? "wait for "
                                                   : "wait in ");
    if (waited->wait != WAIT_HAND_OVER && waited->kind != NODE_WAIT)
        utf8_fit(out, waited->lock ? waited->object : part->in, columns, utf8);
}

void ledger_write_part(const struct variance_tree *tree, const struct ledger_part *part,
                       size_t columns, bool utf8, struct str *out)
{
    str_append(out, number_percent_short(part->sums.share).text);
    str_append(out, " while ");
    if (part->taker) {
        utf8_fit(out, part->taker, columns, utf8);
        str_append(out, part->in ? " has it and " : " has it");
    }
    if (!part->in)
        return;
    str_append(out, "requests ");
    ledger_write_wait(tree, part, columns, utf8, out);
    if (part->thread) {
        str_append(out, ", in the thread of ");
        utf8_fit(out, part->thread, columns, utf8);
    }
    if (part->type) {
        str_append(out, ", which serves ");
        utf8_fit(out, part->type, columns, utf8);
    }
}

void ledger_write_ending(const struct variance_tree *tree, const struct ledger_line *line,
                         const struct ledger_part *part, size_t columns, bool utf8, struct str *out)
{
    const struct tree_node *waited = &tree->nodes[part->waited];
    const char *who = lock_before(tree, waited) ? line->name : "it";
    if (waited->lock) {
        str_append(out, ", which ");
        utf8_fit(out, who, columns, utf8);
        str_append(out, " holds");
    } else if (waited->kind == NODE_QUEUE) {
        str_append(out, " meanwhile");
    } else if (waited->kind == NODE_WAIT) {
        str_append(out, ", which is in it");
    } else {
        str_append(out, " for ");
        utf8_fit(out, who, columns, utf8);
    }
}
