/* rewriter.h - source in, instrumented source and functions.json out.
 *
 *     struct rewriter *rewriter = rewriter_open(&options, &error);      facts: parses once
 *     struct function_table *table = rewriter_table(rewriter);          the call graph
 *     rewriter_rewrite(rewriter, &choice, &error);                      a round: plan, edit, write
 *     rewriter_close(rewriter);
 *
 * Works on the work tree (the mirror) only: `tree` is read and written, the user's source is not
 * known here. The text of a file before its first edit is kept below `pristine`, and every edit
 * starts from that text; so rewriting with the same choice gives the same bytes, and with an empty
 * choice and no config the pristine ones. Only files whose bytes change are written, each at once
 * by rename.
 */
#ifndef REWRITER_REWRITER_H
#define REWRITER_REWRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "rewriter/choice.h"
#include "rewriter/compile_db.h"
#include "rewriter/declare.h"
#include "rewriter/skip.h"
#include "rewriter/verdict.h"
#include "trace/function_table.h"

struct parser;
struct rewriter;

struct rewriter_options {
    const struct parser *parser; /* parser.h */
    const char *tree;            /* absolute path of the work tree */
    const char *pristine;  /* absolute path of a folder for the untouched text of edited files */
    struct compile_db *db; /* its paths lie in `tree` where they are the program's; what its
                              compilers do by themselves is put into it (compiler_defaults.h) */
    const struct declarations *declarations; /* intervals and synchronization from the config */
    unsigned jobs;                           /* files parsed at once */
    const char *cache; /* folder of facts that earlier processes kept (facts_cache.h), or NULL */
};

/* This is NULL with ERROR_USAGE where a declaration names an unknown function, with ERROR_TARGET
 * where no file could be parsed. */
struct rewriter *rewriter_open(const struct rewriter_options *options, struct error *error);

/* Tells whether the marks of `declarations` compile where they are put, as far as the parser can
 * tell; error and word: see trial.h. The first opens what it needs, and does not tell of functions
 * that are not in what it was given; the second wants the options that the rewriter was opened with. */
enum trial_verdict rewriter_try_marks(const struct rewriter_options *options, char word[],
                                      size_t word_bytes, struct error *error);
enum trial_verdict rewriter_try(struct rewriter *rewriter, const struct rewriter_options *options,
                                char word[], size_t word_bytes, struct error *error);

/* The table holds the functions and their calls; indices stay the same until rewriter_close.
 * rewriter_rewrite replaces table->probes. Owned by the rewriter. */
struct function_table *rewriter_table(struct rewriter *rewriter);

/* The array goes by function of the table and is owned by the rewriter. */
const enum pace *rewriter_paces(const struct rewriter *rewriter);

bool rewriter_rewrite(struct rewriter *rewriter, const struct rewrite_choice *choice,
                      struct error *error);

/* The source itself marks intervals, beside what is declared. */
bool rewriter_annotated(const struct rewriter *rewriter);

/* Skips and counts are those of the facts and of the last rewrite; valid until the next one. */
const struct rewriter_skip *rewriter_skips(const struct rewriter *rewriter, uint32_t *count);
uint32_t rewriter_files_parsed(const struct rewriter *rewriter);  /* compilations */
uint32_t rewriter_files_cached(const struct rewriter *rewriter);  /* and those of the cache */
uint32_t rewriter_files_written(const struct rewriter *rewriter); /* by the last rewrite */

void rewriter_close(struct rewriter *rewriter);

#endif
