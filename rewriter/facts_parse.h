/* facts_parse.h - source files in, facts out.
 *
 *     struct facts_source source = {.tree = "/w/tree", .db = &db, .jobs = 4};
 *     if (facts_parse(&facts, &source, &error)) { ... facts_release(&facts); }
 *
 * Commands are parsed on `jobs` threads; what they show is merged in the order of the db, so the
 * result does not depend on the threads. A file with errors yields what could be read of it, and a
 * fact_failure.
 */
#ifndef REWRITER_FACTS_PARSE_H
#define REWRITER_FACTS_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "rewriter/compile_db.h"
#include "rewriter/facts.h"

/* A text to parse instead of what the file holds. */
struct fact_override {
    const char *path; /* absolute */
    const char *text;
    size_t size_bytes;
};

struct facts_cache;

struct facts_source {
    const char *tree; /* absolute, with no symbolic link in it */
    const struct compile_db *db;
    unsigned jobs;
    const struct fact_override *overrides;
    uint32_t override_count;
    struct facts_cache *cache; /* or NULL */
};

/* Parse every command of the db whose file is in the tree. False where none could be parsed. */
bool facts_parse(struct facts *facts, const struct facts_source *source, struct error *error);

/* Which parser it is, and how it finds headers by itself: other words, other facts. */
void facts_parser_words(struct str *words);

/* Of a file outside the tree: its size and time; 0: not there. */
uint64_t facts_stamp(const char *path);

/* Part of facts_parse: what one compilation shows, without merging. */
void facts_read(struct facts *facts, const struct facts_source *source,
                const struct compile_command *command);

/* Part of facts_parse: parts go in one after the other, in the order of the db. */
struct facts_merger;
struct facts_merger *facts_merger_new(void);
void facts_merger_add(struct facts_merger *merger, const struct facts *part);
void facts_merger_finish(struct facts_merger *merger, struct facts *facts); /* frees it */

#endif
