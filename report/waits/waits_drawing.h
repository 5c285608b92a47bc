/* waits_drawing.h - where each group and each edge of a graph of waits stands in its picture.
 *
 *     waits_drawing_choose(&drawing, waits, 24);       the first knot, then the heaviest edges
 *     waits_drawing_ask(&drawing, waits, &text);       as Graphviz reads it
 *     waits_drawing_place(&drawing, answer);           what `dot -Tjson0` made of it
 *     ... drawing.groups[0].x ...
 *     waits_drawing_release(&drawing);
 *
 * Parts that have no edge between them are laid out each for itself, and stand side by side, the first
 * knot's first. Units are pixels, from the upper left corner. Labels have the room that the page's letters take.
 */
#ifndef REPORT_WAITS_WAITS_DRAWING_H
#define REPORT_WAITS_WAITS_DRAWING_H

#include "base/str.h"
#include "waits/waits.h"

struct drawn_group {
    uint32_t group;
    uint32_t part; /* groups of other parts have no edge to or from those of this one */
    double x, y, width, height; /* of its middle */
};

struct drawn_point {
    double x, y;
};

/* More edges than these are lines without a share beside them: Graphviz takes minutes else. */
enum { DRAWN_WITH_SHARES = 60 };

/* A chain of Bezier curves of the third degree: its first point, then three for each curve. */
struct drawn_edge {
    uint32_t edge;  /* NO_EDGE: it is within a group */
    uint32_t group; /* that it begins at */
    struct drawn_point *points, tip;
    struct drawn_point label; /* the middle of its share; without one (0, 0) */
    uint32_t point_count;
};

#define NO_EDGE UINT32_MAX

struct waits_drawing {
    struct drawn_group *groups;
    struct drawn_edge *edges;
    uint32_t group_count, edge_count, part_count;
    uint32_t left_out; /* edges that count */
    double width, height;
    bool placed; /* else nothing of the above is known but which ones */
};

/* The first knot's edges, then the heaviest of those that count, and what members of a group that
 * is drawn wait for each other. */
void waits_drawing_choose(struct waits_drawing *drawing, const struct waits *waits, uint32_t most);
void waits_drawing_ask(const struct waits_drawing *drawing, const struct waits *waits,
                       struct str *out);
/* False where the answer is none. */
bool waits_drawing_place(struct waits_drawing *drawing, const char *answer);
void waits_drawing_release(struct waits_drawing *drawing);

/* The lines of a group's box: its name, cut, and the part of all waiting that ends there, or "". */
void drawn_group_words(const struct waits *waits, uint32_t group, struct str *name,
                       struct str *blame);
/* Of one thread's time; and what that makes the line, in pixels. */
double drawn_edge_share(const struct waits *waits, const struct drawn_edge *edge);
double drawn_edge_width(const struct waits *waits, const struct drawn_edge *edge);
/* Whether it is of the first knot. */
bool waits_edge_in_knot(const struct waits *waits, uint32_t edge);

#endif
