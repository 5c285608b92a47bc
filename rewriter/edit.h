/* edit.h - changes to a text, put in all at once.
 *
 *     f(g(x))      an OPEN and a CLOSE edit at the ends of g(x), another pair around f(g(x))
 *
 * Offsets are bytes of the unchanged text, so the order in which edits are given doesn't matter:
 * pairs at one offset nest by what they enclose (`other_end`), and by `level` where that is the
 * same. Pure: the text is borrowed.
 */
#ifndef REWRITER_EDIT_H
#define REWRITER_EDIT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

/* Edits at one offset come in this order. */
enum edit_kind { EDIT_CLOSE, EDIT_POINT, EDIT_OPEN, EDIT_REPLACE };

struct edit {
    enum edit_kind kind;
    uint32_t offset;
    uint32_t length;    /* bytes taken out; REPLACE only */
    uint32_t other_end; /* OPEN: where its CLOSE stands; CLOSE: where its OPEN stands;
                           POINT: a mark's place in the list of them, from 1, or 0 */
    uint32_t level;     /* smaller: further out (pairs), or first (points) */
    const char *text;
};

/* The edited text is appended to `result`. `edits` are put in order. False with ERROR_FORMAT
 * where an edit lies outside of the text or within bytes that another one takes out. */
bool edit_apply(struct str *result, const char *text, size_t size_bytes, struct edit *edits,
                uint32_t count, struct error *error);

#endif
