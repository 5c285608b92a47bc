/* shared_names.h - by which name a node of one tree is looked for in another one.
 *
 *     A  lock (queue.lock)  lock (server.c:41)     B  lock (queue.lock)  lock (server.c:43)
 *        lock (queue.lock)  lock                      lock (queue.lock)  lock
 *
 * A call that is told by its object has that name where both trees have it. The name of an object
 * may be a place in the source, which is another one in the next version: then nobody knows which
 * is which, and all such calls are one, by their plain name. Borrows the trees.
 */
#ifndef VARIANCE_SHARED_NAMES_H
#define VARIANCE_SHARED_NAMES_H

#include "base/hash_map.h"
#include "variance/variance_tree.h"

struct shared_names {
    struct intern of[2]; /* of nodes that are told by an object, in A and in B */
};

void shared_names_init(struct shared_names *names, const struct variance_tree *a,
                       const struct variance_tree *b);
void shared_names_release(struct shared_names *names);
/* The name is the node's; NULL names: as it is. */
const char *shared_name(const struct shared_names *names, const struct tree_node *node);

#endif
