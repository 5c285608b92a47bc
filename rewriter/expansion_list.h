/* expansion_list.h - where in one file macros are used.
 *
 *     expansion_list_add(&list, begin, end, "CHECK");
 *     uint32_t at = expansion_list_at(&list, offset);       the innermost use that holds `offset`
 *     while (at) { struct expansion *use = &list.items[at - 1]; ... at = use->around; }
 *
 * Offsets are bytes of the file's text. Names are borrowed. Uses are added first, in any order,
 * and looked up then.
 */
#ifndef REWRITER_EXPANSION_LIST_H
#define REWRITER_EXPANSION_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expansion {
    uint32_t begin;
    uint32_t end;
    uint32_t around; /* index + 1 of the expansion in whose argument this one is, or 0 */
    const char *macro;
};

struct expansion_list {
    struct expansion *items;
    size_t count, capacity;
    bool sorted;
};

void expansion_list_add(struct expansion_list *list, uint32_t begin, uint32_t end,
                        const char *macro);

/* Index + 1, or 0. */
uint32_t expansion_list_at(struct expansion_list *list, uint32_t offset);

/* The answer is the macro of the use whose text begins at `offset`, or NULL. */
const char *expansion_list_starting_at(struct expansion_list *list, uint32_t offset);

void expansion_list_release(struct expansion_list *list);

#endif
