/* facts_source.h - what facts are read from: a tree, its compile commands, and texts that stand for
 * files.
 *
 *     struct facts_source source = {
 *         .parser = parser, .tree = "/w/tree", .db = &db, .jobs = 4};
 *
 * Everything is borrowed.
 */
#ifndef REWRITER_FACTS_SOURCE_H
#define REWRITER_FACTS_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "rewriter/compile_db.h"

struct facts_cache;
struct parser;

/* The parser reads this text instead of what the file holds. */
struct fact_override {
    const char *path; /* absolute */
    const char *text;
    size_t size_bytes;
};

struct facts_source {
    const struct parser *parser;
    const char *tree; /* absolute, with no symbolic link in it */
    const struct compile_db *db;
    unsigned jobs; /* threads that parse */
    const struct fact_override *overrides;
    uint32_t override_count;
    struct facts_cache *cache; /* or NULL */
};

#endif
