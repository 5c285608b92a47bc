/* graphviz.h - where a graph's nodes and edges are to stand: asked of the program `dot`.
 *
 *     graphviz_lay_out("digraph { a -> b }", &answer)      the answer is that of dot -Tjson0
 *
 * Nothing fails: without the program, or where it takes too long, there is no answer.
 */
#ifndef DRIVER_WORKBENCH_GRAPHVIZ_H
#define DRIVER_WORKBENCH_GRAPHVIZ_H

#include "base/str.h"

enum graphviz_end {
    GRAPHVIZ_DONE,
    GRAPHVIZ_MISSING, /* the program is: Debian's package graphviz has it */
    GRAPHVIZ_FAILED   /* or it takes more than GRAPHVIZ_SECONDS */
};

/* A thousand edges between 500 nodes take it 2 s where nobody else computes. */
enum { GRAPHVIZ_SECONDS = 15 };

enum graphviz_end graphviz_lay_out(const char *graph, struct str *answer);

#endif
