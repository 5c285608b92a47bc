/* line_code.h - the machine code of lines of source, or of a function, by the addresses of an object's file.
 *
 *     struct line_place place = {"parse.c", 120, 124};
 *     struct line_code code = {0};
 *     line_code_add(&code, "/usr/bin/server", &place);      ranges, wherever the lines were inlined to
 *     line_code_release(&code);
 *
 * What the line table (DWARF 2 to 5) says comes from the lines, and what was inlined by a call on one of them. A file is
 * meant where its last parts are those of the name, as debuggers have it: "net/parse.c" is of /src/net/parse.c.
 */
#ifndef SYMBOL_LINE_CODE_H
#define SYMBOL_LINE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct line_place {
    const char *file;
    unsigned from, until; /* both are of it */
};

struct code_range {
    uint64_t from, until;
};

enum { LINE_CODE_FILES = 8 };

struct line_code {
    struct code_range *ranges; /* ascending, apart from each other */
    size_t count, capacity;
    bool has_lines;               /* the object has a line table */
    char *files[LINE_CODE_FILES]; /* that have the name, each once */
    size_t file_count;            /* may be more than there is room for */
    unsigned before, after; /* lines next to the place that have code in these files; 0: none */
};

/* Looks at one object more, and at its file of debug information where there is one. An object that can't be read has
 * nothing. Ranges are the last object's. */
void line_code_add(struct line_code *code, const char *object, const struct line_place *place);
/* The code of the functions of that name in the object's table of symbols, with their parts that compilers put apart
 * ("parse.cold"). */
void line_code_add_function(struct line_code *code, const char *object, const char *name);
void line_code_release(struct line_code *code);

#endif
