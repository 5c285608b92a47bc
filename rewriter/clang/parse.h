/* parse.h - a compile command, given to the parser.
 *
 * Where it can't be read as its compiler would, what depends on the machine is left out. NULL where
 * the parser can't read it at all. Released by clang_disposeTranslationUnit.
 */
#ifndef REWRITER_CLANG_PARSE_H
#define REWRITER_CLANG_PARSE_H

#include <clang-c/Index.h>

#include "rewriter/facts_source.h"

CXTranslationUnit parse_source(CXIndex index, const struct facts_source *source,
                               const struct compile_command *command);

#endif
