/* unit.h - one compilation while it is read: its files, where things stand in them, and what was
 * found so far.
 *
 *     struct position at = position_begin(unit, cursor);
 *     if (at.file) ...                          it stands in the tree, at byte at.offset
 *
 * libclang gives a token that a macro's body made the position of the macro's use; so a text is
 * taken as literally there only where no expansion starts at its offset, where the callee's name
 * stands in it, and where its own parentheses end it where libclang says.
 */
#ifndef REWRITER_CLANG_UNIT_H
#define REWRITER_CLANG_UNIT_H

#include <clang-c/Index.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "rewriter/crowd.h"
#include "rewriter/expansion_list.h"
#include "rewriter/facts.h"
#include "rewriter/facts_source.h"
#include "rewriter/macro_table.h"
#include "rewriter/source_text.h"
#include "rewriter/sync_name.h"

/* Each file of the tree has its text and the macros that it uses. */
struct source_file {
    uint32_t fact; /* index in facts.files */
    struct source_text text;
    struct expansion_list expansions;
};

/* These traits of a function hold, whoever calls it. */
struct callee_traits {
    enum obstacle obstacle;
    bool ignored;  /* built into the compiler, or ours */
    bool constant; /* declared constexpr: a call of it may have to be a constant */
    bool dropped;  /* where nothing comes to call it */
    sync_set sync; /* what its body uses */
};

/* This is one compilation while it is read. */
struct unit {
    const struct facts_source *source;
    const struct compile_command *command;
    CXTranslationUnit clang;
    struct facts *facts;
    struct intern paths; /* index is that of `files` */
    struct source_file **files;
    size_t file_count, file_capacity;
    struct hash_map file_of; /* CXFile -> index + 2; 1: not in the tree */
    struct intern usrs;      /* index is that of facts->functions */
    size_t function_capacity;
    struct fact_macro *macros;
    size_t macro_count, macro_capacity;
    struct macro_table macro_table;
    struct hash_map text_of; /* CXFile -> index + 1 of the text */
    struct source_text *texts;
    size_t text_count, text_capacity;
    struct callee_traits *traits;    /* by function */
    const struct source_file *maker; /* where a macro's use made functions last */
    uint32_t maker_offset, maker_order;
    struct intern cleanups; /* functions that end variables */
    struct crowd *crowds;   /* of bodies */
    size_t crowd_count, crowd_capacity;
    sync_set sync; /* what no function's body uses */
    bool openmp;   /* the compiler heeds its directives, the parser does not */
    bool cplusplus;
    bool constant; /* a constexpr variable outside of functions is visited */
    bool elision;  /* an object is returned without being moved: C++17 */
};

/* A position says where something stands in its file. */
struct position {
    struct source_file *file; /* NULL: not in the tree */
    uint32_t offset;
    uint32_t line;
    bool in_argument; /* of a macro */
};

/* unit_text is the text that the parser read; empty where there is none. */
struct source_text unit_text(struct unit *unit, CXFile file);

/* unit_file is NULL where the file is not in the tree. A file has one name, whatever links lead
 * to it. */
struct source_file *unit_file(struct unit *unit, CXFile file);

/* Does the declaration stand in the tree? */
bool unit_holds(struct unit *unit, CXCursor declaration);

struct position position_of(struct unit *unit, CXSourceLocation location);
struct position position_begin(struct unit *unit, CXCursor cursor);
struct position position_end(struct unit *unit, CXCursor cursor);

void unit_release(struct unit *unit); /* not the facts */

#endif
