/* object_naming.h - which names the objects of a run are given.
 *
 *     callee_table_init(&callees, run, functions);
 *     object_naming_fill(&callees);            calls that blocked are told by their objects now
 *
 * The name of a variable or its member (symbol/variable_name.h); else of the member that the call
 * was given, by the source ("queue.lock"); else the place of the call that first waited, or the
 * function that it was in. Several objects of one name are numbered, "queue.lock #2", those first
 * that were waited for longest; objects that have less than OBJECT_LEAST of the waiting of their
 * name share it. Descriptors, threads and teams are told by their call alone.
 *
 * The callees' symbolizers are used.
 */
#ifndef SYMBOL_OBJECT_NAMING_H
#define SYMBOL_OBJECT_NAMING_H

#define OBJECT_LEAST 0.02
enum { OBJECT_MOST_NAMED = 256 }; /* all others are too little waited for to be looked up */

struct callee_table;

void object_naming_fill(struct callee_table *callees);

#endif
