/* component.h - the strongly connected components of a graph.
 *
 *     a <-> b --> c <-> d      component 1: a, b; component 0: c, d
 *
 * Two vertices are of one component if each can be reached from the other. Where an edge leads from one
 * component to another, that one's number is lower. Tarjan (Depth-first search and linear graph
 * algorithms, 1972), without recursion: O(vertices + edges).
 */
#ifndef BASE_COMPONENT_H
#define BASE_COMPONENT_H

#include <stddef.h>
#include <stdint.h>

/* The edges of vertex v lead to target[start[v]] .. target[start[v + 1] - 1]. */
struct adjacency {
    uint32_t count; /* vertices */
    size_t *start;  /* count + 1 */
    uint32_t *target;
};

/* Fills in the component of each vertex, and gives how many there are. */
uint32_t component_find(const struct adjacency *graph, uint32_t *component_of);

#endif
