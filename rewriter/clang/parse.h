/* parse.h - a compile command, given to the parser.
 *
 * Where it can't be read as its compiler would, what depends on the machine is left out. NULL where
 * the parser can't read it at all. Released by clang_disposeTranslationUnit.
 *
 * For facts, what is wrong is passed over and macros are kept. For errors, what stops every compiler is
 * an error, and warnings are not silenced.
 */
#ifndef REWRITER_CLANG_PARSE_H
#define REWRITER_CLANG_PARSE_H

#include <clang-c/Index.h>

#include "rewriter/facts_source.h"

enum parse_purpose { PARSE_FOR_FACTS, PARSE_FOR_ERRORS };

CXTranslationUnit parse_source(CXIndex index, const struct facts_source *source,
                               const struct compile_command *command, enum parse_purpose purpose);

#endif
