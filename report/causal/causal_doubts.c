#include "base/number.h"
#include "report/causal/causal_report.h"
#include "report/causal/causal_trust.h"

/* Chosen: so rarely that is chance. */
#define SAME_CHANCE 0.01
#define BREACHES_PART 0.001
#define PROGRESS_SHARE 0.05 /* effects come out too small by that part */

static void judge_blocks(const struct causal_target *target, struct doubts *doubts)
{
    const struct causal_samples *samples = &target->parts[0].samples;
    if (samples->blocks < CAUSAL_LEAST_BLOCKS)
        doubts_add(doubts, DOUBT_OF_RANKING, "few-blocks",
                   "Of %s only %u blocks of experiments came to their end, and %d are needed to "
                   "tell how sure a number is: a longer --budget makes more.",
                   target->name, samples->blocks, CAUSAL_LEAST_BLOCKS);
}

/* A level's blocks need a rate each: of a program with phases in which nothing is completed none may be known. */
static void judge_idle(const struct causal_target *target, struct doubts *doubts)
{
    const struct causal_samples *samples = &target->parts[0].samples;
    if (samples->idle)
        doubts_add(doubts, DOUBT_OF_RANKING, "idle",
                   "In %u experiments with %s fewer than two units of work were complete, and no "
                   "rate is known of these. Mark a unit (VPROF_PROGRESS, --progress FUNCTION) in "
                   "what the program does all the time, such as the last of its stages; or give a "
                   "longer --budget.",
                   samples->idle, target->name);
}

static void judge_noise(const struct causal *causal, const struct causal_target *target,
                        struct doubts *doubts)
{
    enum causal_metric metric = causal->intervals ? CAUSAL_MEAN : CAUSAL_PERIOD;
    const struct causal_part *part = &target->parts[0];
    if (causal_is_noisy(causal, part, metric))
        doubts_add(doubts, DOUBT_OF_RANKING, "too-noisy",
                   "The program is too noisy for %s: without any delay %s differs from itself by "
                   "+-%s, and +-%s was asked for. A longer --budget, or fewer processes beside it, "
                   "may help.",
                   target->name, metric == CAUSAL_MEAN ? "the mean" : "the rate",
                   number_percent_short(causal_effect_width(&part->noise[metric])).text,
                   number_percent_short(causal_width_asked(causal)).text);
}

/* Of five numbers of each target one is told in a hundred runs by chance. */
static void judge_sameness(const struct causal_target *target, struct doubts *doubts)
{
    const struct causal_effect *noise = target->parts[0].noise;
    for (int m = 0; m < CAUSAL_METRICS; m++)
        if (noise[m].known && target->parts[0].noise_chance[m] < SAME_CHANCE / CAUSAL_METRICS) {
            doubts_add(doubts, DOUBT_OF_RANKING, "uneven",
                       "Of %s, experiments without a delay differ from each other beyond chance: "
                       "something else changed while they were made. Let the load be steady, and "
                       "repeat.",
                       target->name);
            return;
        }
}

static void judge_counts(const struct experiment_plan *plan, struct doubts *doubts)
{
    if (plan->steps_refused > 0)
        doubts_add(doubts, DOUBT_OF_RANKING, "steps-refused",
                   "The kernel refused to count the time of %s process%s: calls of more than a "
                   "millisecond were told of too late, and their effect on latencies comes out too "
                   "large. It needs kernel.perf_event_paranoid of 2 or less, in a container "
                   "--cap-add PERFMON, and Linux 5.13 or newer.",
                   number_count((uint64_t)plan->steps_refused).text,
                   plan->steps_refused == 1 ? "" : "es");
    if (plan->untold > 0)
        doubts_add(doubts, DOUBT_OF_RANKING, "untold",
                   "%s intervals were not waited for, as more than %s were open at once: the "
                   "slowest may be cut off. Fewer connections at once help.",
                   number_count((uint64_t)plan->untold).text, "4,096");
}

static void judge_progress(const struct experiment_plan *plan, struct doubts *doubts)
{
    if (plan->progress_share > PROGRESS_SHARE)
        doubts_add(doubts, DOUBT_OF_RANKING, "costly-progress",
                   "Threads were stopped for %s of the time from one unit of work to the next, to "
                   "tell of them: effects come out too small by about that part. Name a function "
                   "for --progress that is called less often, or use VPROF_PROGRESS.",
                   number_percent_short(plan->progress_share).text);
    if (plan->progress_unseen > 0)
        doubts_add(doubts, DOUBT_OF_RANKING, "progress-unseen",
                   "Of %s process%s the units of work were not counted, or not any more: the "
                   "kernel refused to tell of calls, or the program closed all its descriptors, or "
                   "took SIGTRAP. Use VPROF_PROGRESS.",
                   number_count((uint64_t)plan->progress_unseen).text,
                   plan->progress_unseen == 1 ? "" : "es");
}

static void judge_laws(const struct causal_laws *laws, struct doubts *doubts)
{
    uint64_t breaches = laws->backwards + laws->early, all = laws->marks + laws->handed;
    if ((double)breaches > BREACHES_PART * (double)all)
        doubts_add(doubts, DOUBT_OF_TRACE, "virtual-time",
                   "Virtual time went back %s times of %s, by %s at the most: some hand-over "
                   "between threads is not seen.",
                   number_count(breaches).text, number_count(all).text,
                   number_ns(laws->worst_ns, false).text);
}

void causal_judge(const struct causal *causal, struct doubts *doubts)
{
    if (causal->outside)
        doubts_add(doubts, DOUBT_OF_WAITS, "outside",
                   "%s is connected with the program and was not delayed: it gains from each "
                   "delay, so no throughput is told, and latencies may be too low. Run the load "
                   "generator within COMMAND.",
                   causal->outside);
    for (uint32_t t = 0; t < causal->target_count - causal->left_out; t++) {
        judge_blocks(&causal->targets[t], doubts);
        judge_idle(&causal->targets[t], doubts);
        judge_noise(causal, &causal->targets[t], doubts);
        judge_sameness(&causal->targets[t], doubts);
    }
    judge_counts(&causal->run->experiments->plan, doubts);
    judge_progress(&causal->run->experiments->plan, doubts);
    judge_laws(&causal->laws, doubts);
}
