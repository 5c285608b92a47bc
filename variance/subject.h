/* subject.h - a factor as it can be looked for in another tree: by its kind and its names.
 *
 *     struct subject subject = subject_of(&factor, tree, &shared);
 *     subject_find(&subject, &sample, &sites);            columns of its sites on that side
 *     const char *blind = subject_blind(&subject, sides, 1, &timed);   NULL: it can be judged
 *
 * Where it does not occur it took no time, if its function is timed there or is not there at all.
 * Where the function is there and not timed, its time is part of its caller's: that side is blind
 * to it. So it is where a call of a library's function is timed in one caller only on the other
 * side. To the own time of a function ("serve [body]") a side is also blind where functions that
 * both have are timed in only one: what is not timed is part of its caller's own time.
 */
#ifndef VARIANCE_SUBJECT_H
#define VARIANCE_SUBJECT_H

#include "base/hash_map.h"
#include "variance/sample.h"
#include "variance/shared_names.h"

struct subject {
    enum factor_kind kind;
    enum node_kind node_kinds[2]; /* of a call: NODE_FUNCTION */
    const char *names[2];         /* the tree's, as both trees know them */
    const char *plain[2];         /* without an object; NULL: the same */
    const struct shared_names *shared;
};

struct subject_sites {
    uint32_t (*columns)[2]; /* of the sample; twice the same for a function */
    size_t count, capacity;
};

/* A side knows these functions, and times those; of the ones without a body also "usleep in
 * serve". */
struct timed_functions {
    struct intern known[2], timed[2];
    uint32_t both;             /* timed on both sides */
    uint32_t one_side;         /* known on both sides, timed on one */
    const char *one_side_name; /* one of them, the table's; NULL: there is none */
};

struct subject subject_of(const struct factor *factor, const struct variance_tree *tree,
                          const struct shared_names *shared);
/* One of its nodes, or NULL: it does not occur there. */
const struct tree_node *subject_node(const struct subject *subject,
                                     const struct variance_tree *tree);
bool subject_same(const struct subject *a, const struct subject *b);
/* The function adds the columns to the sample, which is not filled yet. */
void subject_find(const struct subject *subject, struct sample *sample,
                  struct subject_sites *sites);
/* The name that side `side` does not time. */
const char *subject_blind(const struct subject *subject, const struct sample_side sides[2],
                          int side, const struct timed_functions *timed);

void timed_functions_init(struct timed_functions *timed, const struct sample_side sides[2]);
void timed_functions_release(struct timed_functions *timed);

#endif
