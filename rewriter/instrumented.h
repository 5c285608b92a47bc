/* instrumented.h - a file's text with what a plan puts into it.
 *
 *     preamble, switches, lines of the plan, "#line 1", and the text with its edits
 *
 * The edited text is the end of it, whatever stands before. Pure; texts are borrowed.
 */
#ifndef REWRITER_INSTRUMENTED_H
#define REWRITER_INSTRUMENTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "rewriter/plan.h"

/* A byte order mark stays the first of the text; the length is 0 where there is none. */
size_t instrumented_mark_length(const char *text, size_t size_bytes);

/* False as edit_apply, which also puts the file's edits in order. */
bool instrumented_text(struct str *fresh, struct plan *plan, uint32_t file,
                       const struct str *pristine, struct error *error);

#endif
