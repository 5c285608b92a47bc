/* facts_read.h - what libclang shows of one compilation.
 *
 *     struct facts part = {0};
 *     facts_read(&part, &source, command);
 *
 * The facts are those of the compilation alone: indices of functions are in the order in which they
 * were met. Where the parser can't read the file there is a fact_failure and nothing else. Threads
 * may read at once.
 */
#ifndef REWRITER_CLANG_FACTS_READ_H
#define REWRITER_CLANG_FACTS_READ_H

#include "base/str.h"
#include "rewriter/facts.h"
#include "rewriter/facts_source.h"

void facts_read(struct facts *facts, const struct facts_source *source,
                const struct compile_command *command);

/* The words say which parser it is and how it finds headers by itself: other words, other facts. */
void facts_parser_words(struct str *words);

#endif
