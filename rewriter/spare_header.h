/* spare_header.h - headers that are left as they are, because an edit would change too many files.
 *
 *     log.h:     static inline ssize_t log_write(...) { return write(...); }
 *     a.c ... z.c include it, and c.c calls log_write
 *
 * Who includes an edited header gets the preamble, and is compiled again. Where those would be many
 * and only synchronization stands in it, its names are redirected: that touches c.c alone. The trace
 * does not say then where the call stands, until a round times the function that holds it.
 */
#ifndef REWRITER_SPARE_HEADER_H
#define REWRITER_SPARE_HEADER_H

#include "rewriter/plan.h"

/* Takes such edits and their probes out of the plan, which is done but for that. */
void spare_headers(struct plan *plan, const struct facts *facts);

#endif
