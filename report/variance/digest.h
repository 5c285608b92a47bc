/* digest.h - the lines of the tree that a person reads first, in reading order.
 *
 *     interval                      a node
 *       serve > handle              a chain: nodes of the same share (within 1 %), on one line
 *                                   or on a few of the same depth
 *         lock                      a call that blocked
 *           compact                   what its waker did: blocked level 1
 *             lock                    that blocked as well: level 2
 *               waits further           what stands below level 2
 *         3 more                    children below the threshold, if together they matter
 *
 * A node has a line when its weight (outline.h) or contribution reaches `least`, or `least_blamed`
 * in a woken-by subtree, or when a node below it has a line. The threshold rises step by step until
 * the lines are no more than asked for.
 * Borrows the tree and what the wish points to; digest_release frees the rest.
 */
#ifndef REPORT_VARIANCE_DIGEST_H
#define REPORT_VARIANCE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "report/variance/outline.h"

struct digest_wish {
    uint32_t lines;      /* about as many at most */
    uint32_t depth;      /* what stands deeper is told as one line */
    size_t name_columns; /* for indent and names, beside the numbers */
    size_t line_columns; /* where there are no numbers */
    size_t level_columns;
    size_t link_columns; /* of what stands between two names of a chain */
    bool utf8;
    const bool *keep;      /* by node: it has a line however small it is */
    const uint32_t *ranks; /* by node: if not 0, a chain ends with it */
};

enum digest_what {
    DIGEST_NODE,   /* the nodes from `first` down to `node` */
    DIGEST_REST,   /* the children of `node` that have no line */
    DIGEST_WAITS,  /* the children of `node`: waiters on a waiter on a waiter */
    DIGEST_DEEPER, /* the children of `node`, too deep to be shown */
};

struct digest_line {
    enum digest_what what;
    uint32_t first, node;
    uint32_t depth;
    uint32_t skipped; /* names between `node` and the next line: there is no room for them */
    bool last;        /* of its siblings */
    bool continued;   /* the line before begins this chain */
    bool continues;   /* the next line goes on with this chain, and has its numbers */
    bool blamed;
};

struct digest {
    struct outline outline; /* of every node, by weight */
    struct digest_wish wish;
    bool *shown;     /* by node */
    uint8_t *levels; /* by node: how many blocked calls lead here */
    struct digest_line *lines;
    uint32_t count, capacity;
    double least, least_blamed;
    bool folded; /* something has no line */
};

void digest_init(struct digest *digest, const struct variance_tree *tree,
                 const struct digest_wish *wish);
void digest_release(struct digest *digest);

/* Writes the whole name of one node of a line; in a chain its body is "[body]". */
void digest_write_name(const struct digest *digest, const struct digest_line *line, uint32_t node,
                       struct str *out);

#endif
