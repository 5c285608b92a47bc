/* facts_finish.h - the functions of merged facts in their last order, each callee with its body.
 *
 *     as merged                              finished
 *     0 main.c  serve -> 1                   0 main.c  serve -> 1
 *     1 (declared) commit                    1 util.c  commit
 *     2 util.c  commit
 *
 * The order does not depend on that of the commands: functions with a body come first, by file and
 * offset. One without a body stands for all bodies of its USR and is left out where there is one,
 * or where nobody calls it. A virtual call's callees are all that it may reach.
 *
 * What belongs to the functions as merged is on the heap: lists, calls and statements. Here they
 * move into the arena of the facts.
 */
#ifndef REWRITER_FACTS_FINISH_H
#define REWRITER_FACTS_FINISH_H

#include "rewriter/facts.h"

void facts_finish_functions(struct facts *facts);

#endif
