/* flow_read.h - what libclang shows of where values go in one compilation.
 *
 *     struct flow_unit *unit = flow_unit_parse(&source, command);       threads may parse at once
 *     flow_unit_add(&flow, unit);                                       one at a time; releases it
 *
 * A function that an earlier compilation showed is not read again. NULL where the parser can't read
 * the file.
 */
#ifndef REWRITER_CLANG_FLOW_READ_H
#define REWRITER_CLANG_FLOW_READ_H

#include "rewriter/facts_source.h"
#include "rewriter/flow.h"

struct flow_unit;

struct flow_unit *flow_unit_parse(const struct facts_source *source,
                                  const struct compile_command *command);
void flow_unit_add(struct flow *flow, struct flow_unit *unit);

#endif
