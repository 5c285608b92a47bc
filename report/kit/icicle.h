/* icicle.h - a tree as a picture: a box is as wide as its part of the whole, and stands below what it is a part of.
 *
 *     main 100 %
 *     serve > handle 99.5 %       a node that is nearly as wide as the one above it shares its box
 *     read 60 %     | write 30 %
 *
 *     struct icicle icicle = {.family = &family, .tree = &own, .count = nodes, .labels = labels};
 *     icicle_place(&icicle, MOST_BOXES);
 *     icicle_write_boxes(&icicle, "Where the time is", out);
 *     icicle_write_data(icicle_data(&icicle), out);       for the script: more boxes, and what each tells
 *     icicle_release(&icicle);
 *
 * Nodes are numbers: 0 is the root, and each comes after its parent. What a node is, its family says by functions that
 * find their own in `tree`. Borrows both.
 */
#ifndef REPORT_KIT_ICICLE_H
#define REPORT_KIT_ICICLE_H

#include <jansson.h>

#include "base/hash_map.h"
#include "base/number.h"
#include "base/str.h"

struct icicle_box {
    double left, width; /* percent of the page */
    uint32_t depth;
    uint32_t told;  /* 1 + its number among those that the script knows, or 0 */
    uint32_t first; /* node that the box begins with */
    uint32_t face;  /* node that it ends with, whose figures it has */
};

struct icicle {
    const struct icicle_family *family;
    const void *tree;
    uint32_t count;
    const char *const *labels; /* of its facts; the last is NULL */
    struct icicle_box *boxes;  /* by node */
    uint32_t told;
    uint32_t depth; /* of the picture */
};

/* How a box looks, and what is read aloud. */
struct icicle_look {
    const char *kind;  /* "call"; it stands behind the name */
    const char *class; /* of the style; "": that of all boxes alone */
    struct number weight;
    unsigned heat; /* how strong the colour is, percent */
    int solid;     /* what is not hatched, percent; below 0: nothing is said of that */
    bool blamed;
};

struct icicle_family {
    uint32_t (*parent)(const struct icicle *icicle, uint32_t node);
    /* Sets left and width of the children's boxes. */
    void (*place)(struct icicle *icicle, uint32_t parent);
    /* Whether a node that is as wide as the one above tells the same story. */
    bool (*joins)(const struct icicle *icicle, uint32_t node);
    /* Whether a box that a node shares has that node's figures; NULL: it has. */
    bool (*is_face)(const struct icicle *icicle, uint32_t node);
    void (*name)(const struct icicle *icicle, uint32_t node, struct str *out);
    struct icicle_look (*look)(const struct icicle *icicle, uint32_t face);
    /* By icicle_push, a text for each label. */
    void (*facts)(const struct icicle *icicle, uint32_t face, struct intern *texts, json_t *facts);
    bool empty; /* nodes without a width are told, too */
};

/* Places the boxes. Of a tree of more than `most` the smallest are told as part of what they are below. */
void icicle_place(struct icicle *icicle, uint32_t most);
void icicle_release(struct icicle *icicle);
/* Of a node that has a box of its own, and of one that the script knows. */
bool icicle_begins_box(const struct icicle *icicle, uint32_t node);
bool icicle_is_told(const struct icicle *icicle, uint32_t node);

/* The picture without the script: what is wide enough to be seen. `label` is what it is of. */
void icicle_write_boxes(const struct icicle *icicle, const char *label, struct str *out);
/* As report.js reads it:
 *   {"texts": [...], "labels": [...], "row": .., "least": ..,
 *    "boxes": [[name, label, parent, left, width, heat, blamed, weight, fact, ...], ...],
 *    "looks": [[class, solid], ...]}           of each box, where blamed does not tell it
 * with left and width in 1e9ths of the page; name, label, weight and facts are told by their place
 * in texts, a fact for each of the labels. */
json_t *icicle_data(const struct icicle *icicle);
void icicle_push(struct intern *texts, json_t *array, const char *text);
/* Gives up `data`. */
void icicle_write_data(json_t *data, struct str *out);

#endif
