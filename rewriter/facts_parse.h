/* facts_parse.h - source files in, facts out.
 *
 *     struct facts_source source = {
 *         .parser = parser, .tree = "/w/tree", .db = &db, .jobs = 4};
 *     if (facts_parse(&facts, &source, &error)) { ... facts_release(&facts); }
 *
 * Commands are parsed on `jobs` threads, or found in the cache; what they show is merged in the
 * order of the db, so the result does not depend on the threads. A file with errors yields what
 * could be read of it, and a fact_failure.
 */
#ifndef REWRITER_FACTS_PARSE_H
#define REWRITER_FACTS_PARSE_H

#include <stdbool.h>

#include "base/error.h"
#include "rewriter/facts.h"
#include "rewriter/facts_source.h"

/* Every command of the db whose file is in the tree is parsed. False where none could be. */
bool facts_parse(struct facts *facts, const struct facts_source *source, struct error *error);

#endif
