/* by_request.h - what requests wait for: each ns of their critical paths, by whose it was.
 *
 *     a request of 1.9 ms   y runs 1.0    x runs 0.9        leaves: add up to the latency
 *                           worker -> y 1.0   -> x 0.9      edges: waits that were followed to them
 *
 * A request is a complete interval of the run. Its path is interval/path_walk.h's, which the
 * variance tree is made of, and each part of it is divided as time_owner.h says. So for each
 * request the leaves add up to its latency L, to the ns; and as Cov is linear, the shares
 *     Cov(leaf, L) / Var(L)
 * of all leaves add up to 1, as do the parts of what slow requests are slower by. An edge's numbers
 * are those of the time behind it, which leaves further on own.
 *
 * Slow are the requests of at least the 99th percentile's latency, and slower is their mean less that
 * of all (as variance/tail_ledger.h has it). Intervals are a block jackknife's over the requests in
 * order of time (stats/jackknife.h).
 */
#ifndef WAITS_BY_REQUEST_H
#define WAITS_BY_REQUEST_H

#include "interval/row_list.h"
#include "stats/jackknife.h"
#include "waits/time_owner.h"
#include "waits/wait_graph.h"

/* The time of a part in the requests of a block. */
struct request_sum {
    __int128 time, with_latency; /* of x and of x L */
    __int128 slow;               /* of x in the slow ones */
    uint64_t count, slow_count;  /* requests; of the latency's sums alone */
};

/* `from` and `to` are groups, or NO_GROUP: of an edge from NO_GROUP, the request itself waited for
 * `to` to come to it. Of a leaf they mean what struct time_taker says. */
struct request_part {
    enum time_kind kind; /* of a leaf */
    uint32_t from, to;
    struct request_sum sums[JACKKNIFE_BLOCKS];
    double share;                           /* of the latency */
    struct wait_share mean_ns, of_variance; /* a request; Cov(part, L) / Var(L) */
    double slow_ns;                         /* a slow request */
    struct wait_share slower_ns;            /* by so much more than one of all */
};

struct request_parts {
    struct request_part *items; /* the most time first */
    uint32_t count;
};

struct by_request {
    const char *type; /* of which the requests are; NULL: all are taken */
    bool slow_first;  /* what makes the slow ones slower is what is asked for */
    struct request_parts leaves, edges;
    struct request_part latency; /* of no leaf: all of it */
    uint64_t count, slow_count;  /* requests; 0: the run has none, or it has no variance */
    uint32_t blocks;
    double p99_ns, sd_ns;
    uint64_t broken; /* requests whose leaves do not add up to their latency: none, ever */
};

void by_request_fill(struct by_request *requests, const struct timelines *run,
                     const struct vertex_table *vertices, const struct wait_graph *graph,
                     const struct row_list *rows);
void by_request_release(struct by_request *requests);
/* Those that matter first: by time, or by what slow requests are slower by. From memory.h; the caller
 * frees it. */
const struct request_part **request_parts_by_weight(const struct request_parts *parts,
                                                    bool slow_first);
/* NULL where the leaves add up to the latency, in each request and in all sums, else what does not. */
const char *by_request_check(const struct by_request *requests);

#endif
