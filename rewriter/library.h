/* library.h - what functions without a body in the tree may call.
 *
 *     library_calls_back(function)    event_base_loop, std::function::operator()     CALLS_ANY
 *                                     std::for_each, qsort                           CALLS_GIVEN
 *                                     nanosleep, memcpy, std::this_thread::yield     CALLS_NOBODY
 *
 * A function of the C library calls back what it is given and nothing else, and so do those of
 * C++'s library but for the objects that hold functions. Any other library's may call what the
 * program gave it long before. Pure, but for a look at the C library of this process: it is taken
 * for the program's.
 */
#ifndef REWRITER_LIBRARY_H
#define REWRITER_LIBRARY_H

#include "rewriter/facts.h"
#include "trace/function_table.h"

enum calls_back library_calls_back(const struct fact_function *function);

#endif
