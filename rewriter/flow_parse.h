/* flow_parse.h - compile commands in, the program's flow out.
 *
 *     struct flow flow = {0};
 *     if (flow_parse(&flow, &source, &error)) ... flow_release(&flow);
 *
 * Every command of the db whose file is in the tree is read, on `jobs` threads, and added in the
 * order of the db. False where none could be.
 */
#ifndef REWRITER_FLOW_PARSE_H
#define REWRITER_FLOW_PARSE_H

#include "base/error.h"
#include "rewriter/facts_source.h"
#include "rewriter/flow.h"

bool flow_parse(struct flow *flow, const struct facts_source *source, struct error *error);

#endif
