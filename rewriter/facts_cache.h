/* facts_cache.h - the facts of compilations, kept from one process to the next.
 *
 *     <folder>/0c1f...9a.facts      one for each compilation, named by the hash of its key
 *
 *     key      parser, this program's parsing code, flags, file; the tree's path taken out of them
 *     record   key, facts, and all files that the parser read, with the hash of each text
 *
 * A record holds as long as every file of the tree that was read has the same text, every other one
 * the same size and time, and as long as the tree has the same files of the names that were
 * included or looked for, so that a new header that comes first in the search is seen. One of a
 * compilation with errors is never kept. What is not seen: a new header outside the tree that comes
 * first in the search, or one that changed without a change of size and time.
 *
 * A record that is damaged, cut short or of another version is not there. A folder that can't be
 * written makes no difference but time. Threads may get and put at once, processes too. With NULL
 * for a cache or for its folder everything is parsed.
 */
#ifndef REWRITER_FACTS_CACHE_H
#define REWRITER_FACTS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "rewriter/facts.h"
#include "rewriter/facts_source.h"

struct facts_cache;

struct facts_cache *facts_cache_open(const char *folder, const struct facts_source *source);

bool facts_cache_get(struct facts_cache *cache, const struct compile_command *command,
                     struct facts *part);
void facts_cache_put(struct facts_cache *cache, const struct compile_command *command,
                     const struct facts *part);

/* The counts are those of compilations: parsed, and found in the cache. */
void facts_cache_counts(const struct facts_cache *cache, uint32_t *parsed, uint32_t *cached);

void facts_cache_close(struct facts_cache *cache);

#endif
