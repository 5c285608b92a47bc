/* skip.h - a thing that was not instrumented though the choice asked for it, or a file that was
 * not parsed.
 *
 *     {"src/main.c", 12, "handle", "its body comes from a macro", false}
 *
 * All texts are borrowed.
 */
#ifndef REWRITER_SKIP_H
#define REWRITER_SKIP_H

#include <stdbool.h>
#include <stdint.h>

struct rewriter_skip {
    const char *file;
    uint32_t line;
    const char *name;   /* the function, "" for a file */
    const char *reason; /* for people: nothing asks what it says */
    bool quiet;         /* a call of which nobody misses the probe (quiet_call.h) */
};

#endif
