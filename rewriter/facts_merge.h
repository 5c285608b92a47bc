/* facts_merge.h - the facts of many compilations put together.
 *
 *     struct facts_merger *merger = facts_merger_new();
 *     facts_merger_add(merger, &part);                     each part, in the order of the db
 *     facts_merger_finish(merger, &facts);                 frees the merger
 *
 * A function with a body is known by where the body stands; one without by its USR, until a
 * compilation shows a body for that USR. What stops an edit in one compilation stops it in all.
 * Nothing of a part is borrowed once it is added.
 */
#ifndef REWRITER_FACTS_MERGE_H
#define REWRITER_FACTS_MERGE_H

#include "rewriter/facts.h"

struct facts_merger;

struct facts_merger *facts_merger_new(void);
void facts_merger_add(struct facts_merger *merger, const struct facts *part);
void facts_merger_finish(struct facts_merger *merger, struct facts *facts);

#endif
