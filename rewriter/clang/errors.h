/* errors.h - what the parser finds wrong with a compilation, and nothing else of it.
 *
 *     struct parse_errors errors;
 *     if (errors_find(&errors, &arena, &source, command)) ... errors.items[0].text ...
 *
 * Only what stops every compiler counts, and one warning. Texts live in the arena.
 */
#ifndef REWRITER_CLANG_ERRORS_H
#define REWRITER_CLANG_ERRORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "rewriter/facts_source.h"

#define ERROR_ELSEWHERE UINT32_MAX

struct parse_error {
    uint32_t override; /* index of the source's text that holds it, or ERROR_ELSEWHERE */
    uint32_t offset;   /* in that text: where it stands, or the macro's use that makes it */
    const char *text;
    bool lenient; /* a number where an address belongs: many a compiler only warns of that */
};

struct parse_errors {
    struct parse_error *items; /* in the order in which the parser met them */
    uint32_t count;
};

/* This is false where the parser can't read the file at all. */
bool errors_find(struct parse_errors *errors, struct arena *arena,
                 const struct facts_source *source, const struct compile_command *command);

#endif
