/* line_code.h - where the code of source lines lies in a program's file.
 *
 *     struct source_lines lines = {"parse.c", 118, 118};
 *     struct code_pieces pieces = {0};
 *     struct str why = {0};
 *     if (line_code_find(file, &lines, &pieces, &why) == LINE_FOUND) ...
 *
 *       114  static inline int hex(int c) {        of line 118: what its own instructions are, by the table of
 *       115      return c & 15;                    lines (DWARF 2 to 5), in each copy that there is; and what was
 *       116  }                                     inlined there: line 115, where 118 called it
 *       118      sum += hex(c);
 *
 * A file is named by the last parts of its path, as debuggers do: "parse.c", "src/parse.c".
 */
#ifndef SYMBOL_LINE_CODE_H
#define SYMBOL_LINE_CODE_H

#include <stdint.h>

#include "base/str.h"
#include "symbol/code_pieces.h"

struct program_file;

struct source_lines {
    const char *file;
    uint32_t from, until; /* both are of them */
};

/* What says more stands behind. */
enum line_outcome {
    LINE_NO_UNITS, /* there is no debug information */
    LINE_NO_FILE,  /* there is none of such a file */
    LINE_NO_CODE,  /* these lines have none */
    LINE_FOUND,
    LINE_AMBIGUOUS /* several files have such a path */
};

/* The pieces are joined. Of the last three `why` says more: which lines are near, the file's path, or which files there
 * are. */
enum line_outcome line_code_find(struct program_file *file, const struct source_lines *lines,
                                 struct code_pieces *pieces, struct str *why);

#endif
