/* span_inference.h - from the moments at which stacks are known to spans, so that the variance of a
 * program that was never rebuilt is ranked as that of one that was.
 *
 *     struct stack_moments *moments = stack_moments_of_run(run, &seen);
 *     struct span_sources sources = {&seen.tree, moments, function_of_interval};
 *     struct inferred_spans spans;
 *     span_inference_fill(&spans, run, &sources);
 *     variance_analyze(&result, run, &spans.functions, &error);
 *     inferred_spans_release(&spans);
 *
 * Each thread of the run gets the spans that stretch_pieces.h and span_writer.h tell of, cut at its
 * labels: what was seen of one request says nothing of the next one. The table has a function and a
 * probe for each frame of the tree, and one more for what was not seen. Functions of the kernel have
 * no body; that a call is known to call another is what was seen. Waits are not touched: the blocks of
 * the timelines, from the kernel's record, come below the spans that hold them, as ever.
 *
 * Lengths of single calls are guesses, but the time of a context in many intervals is right, and so is
 * its covariance with their latency, as the guess does not depend on the latency. It is the better,
 * the more samples an interval has: near an interval's ends up to a period belongs to the nearest
 * sample. `coverage` and `samples` / `intervals` say how good that is. A thread that was preempted for
 * long right where one call gave way to another may have it told of the wrong one, if no stack of that
 * was recorded.
 */
#ifndef STACKS_SPAN_INFERENCE_H
#define STACKS_SPAN_INFERENCE_H

#include "stacks/stack_moment.h"
#include "trace/function_table.h"

struct span_sources {
    const struct context_tree *tree;
    const struct stack_moments *moments; /* by thread of the run */
    /* By interval: the frame that is its function, in which its first thread is from its beginning to
     * its end; CONTEXT_NONE: it has none. NULL: none has. */
    const uint32_t *function_of_interval;
};

struct inferred_spans {
    struct function_table functions;
    /* Of the time that threads worked for complete intervals, in ns: */
    time_ns ran, near_sample; /* how long they ran; of that, within half a period of a sample */
    time_ns off, off_known;   /* were off their processor; of that, with a known stack */
    uint64_t samples, intervals;
    time_ns period; /* median of what the clock's samples stand for, in ns; 0: there are none */
};

/* Gives the run's threads their spans, in its arena. The run is of a program whose calls are not timed:
 * what spans there were are gone, and nothing in it must name a probe. */
void span_inference_fill(struct inferred_spans *spans, struct timelines *run,
                         const struct span_sources *sources);
void inferred_spans_release(struct inferred_spans *spans);

/* The part of running time that is near a sample, 0 to 1; of no running time it is 1. */
double inferred_spans_coverage(const struct inferred_spans *spans);

#endif
