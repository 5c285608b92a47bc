/* macro_table.h - every macro definition that one compilation saw, in the tree or not.
 *
 *     macro_table_define(&table, "STR", text);            text: "STR(x) #x"
 *     macro_table_stringizes(&table, "VIA_STR")            #define VIA_STR(x) STR(x): true
 *
 * A name may be defined several times; what holds for one definition holds for the name. The
 * texts are borrowed; the names are copied.
 */
#ifndef REWRITER_MACRO_TABLE_H
#define REWRITER_MACRO_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "rewriter/source_text.h"

struct macro_definition;

struct macro_table {
    struct intern names;
    struct macro_definition *definitions;
    size_t definition_count, definition_capacity;
    uint32_t *last; /* by name: index + 1 of its last definition */
    unsigned char *stringizing;
    unsigned char *bodies; /* may one hold a function's body? */
    bool *given;
    size_t name_capacity;
};

/* `text` begins with the name. */
void macro_table_define(struct macro_table *table, const char *name, struct source_text text,
                        bool in_tree);

/* Would an argument of this macro, or of one that it uses, be seen as text? True: it is unknown. */
bool macro_table_stringizes(struct macro_table *table, const char *name);

/* Is one call of `callee` all that this macro stands for, by each of its definitions?
 *     #define redis_fsync(fd) fdatasync(fd)              of fdatasync: true */
bool macro_table_is_call(const struct macro_table *table, const char *name, const char *callee);

/* The definitions outside of the tree that a use of `name` may bring in and that may hold the body
 * of a function. Each is given once, whatever is asked. */
typedef void macro_table_take(void *context, const char *name, struct source_text text);
void macro_table_give_outside(struct macro_table *table, const char *name, macro_table_take *take,
                              void *context);

void macro_table_release(struct macro_table *table);

/* Both ask one definition: where its body begins in `text`, and whether it uses # or ##. */
uint32_t macro_body(const struct source_text *text);
bool macro_pastes(const struct source_text *text);

#endif
