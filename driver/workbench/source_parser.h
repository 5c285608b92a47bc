/* source_parser.h - the parser of source, a module that is loaded when something is parsed.
 *
 *     if (!source_parser_is_here(&error)) ...          before a user waits for anything
 *     const struct parser *parser = source_parser_load(&error);
 *
 * libclang comes with it, some 100 MB; a machine that only records and looks needs neither
 * (docs/decisions/the-parser-is-a-module.md). Once loaded, it stays.
 */
#ifndef DRIVER_WORKBENCH_SOURCE_PARSER_H
#define DRIVER_WORKBENCH_SOURCE_PARSER_H

#include <stdbool.h>

#include "base/error.h"
#include "rewriter/parser.h"

bool source_parser_is_here(struct error *error);

/* This is NULL where it is not here, does not load (libclang is missing), or is another build's. */
const struct parser *source_parser_load(struct error *error);

#endif
