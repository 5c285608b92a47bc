/* trial.h - are the marks that the config declares C where they are put? The parser is asked, so
 * that nothing has to be built for it.
 *
 *     "id": "reqest->id"   ->   TRIAL_WRONG, "vprofiler.json:4:9: intervals[0].begin.id:
 *                               `reqest->id` is no C in handle (server.c:40): use of undeclared ..."
 *
 * It is not known where a file that a mark goes into can't be parsed without it.
 */
#ifndef REWRITER_TRIAL_H
#define REWRITER_TRIAL_H

#include "base/arena.h"
#include "base/error.h"
#include "rewriter/facts.h"
#include "rewriter/facts_source.h"
#include "rewriter/resolve.h"
#include "rewriter/verdict.h"

struct trial {
    const struct facts *facts;
    const struct resolved *resolved;
    const struct facts_source *source; /* without overrides */
    /* By file of the facts: the text that it has without probes, and its absolute path; text NULL:
     * it can't be read. Only files with marks are asked for. */
    struct fact_override *texts;
};

/* Where it is TRIAL_WRONG, the error says which declaration, and `word` (unless NULL) is the word
 * that the parser stumbled over, or NULL; both live in the arena. */
enum trial_verdict trial_run(const struct trial *trial, struct arena *arena, const char **word,
                             struct error *error);

#endif
