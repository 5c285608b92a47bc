/* unevaluated.h - the parts of a text whose expressions are never evaluated: sizeof(f()),
 * decltype(f()).
 *
 *     unevaluated_find(&parts, &text, begin, end);
 *     unevaluated_holds(&parts, offset)
 *
 * Known by their words, because a parser shows some of them as if they were evaluated. Offsets are
 * bytes.
 */
#ifndef REWRITER_UNEVALUATED_H
#define REWRITER_UNEVALUATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rewriter/source_text.h"

struct unevaluated_part;

struct unevaluated {
    struct unevaluated_part *parts;
    size_t count, capacity;
};

/* The parts of `begin`..`end` are added. */
void unevaluated_find(struct unevaluated *unevaluated, const struct source_text *text,
                      uint32_t begin, uint32_t end);
bool unevaluated_holds(const struct unevaluated *unevaluated, uint32_t offset);
void unevaluated_release(struct unevaluated *unevaluated);

#endif
