/* stack_rate.h - one in how many waits has its stack: of all threads, and of those that wait long.
 *
 *     of 60,000 waits a second 150 are wished for      one in 400, whoever waits
 *     20 of them are of threads that wait long         each, as well
 *
 * A wait of a thread that waits long is told by the one event or the other, and which of them it was
 * is not known: each has its part of it, by how often it tells one. (Were it the second's alone, the
 * first would be thought to tell nothing where each thread of a busy program has waited long once; it
 * would then be made to tell every wait.)
 */
#ifndef SAMPLER_STACK_RATE_H
#define SAMPLER_STACK_RATE_H

#include <stdbool.h>
#include <stdint.h>

/* One in so many. */
struct stack_rate {
    uint64_t every;
    double seen; /* since the last look */
};

struct stack_rates {
    struct stack_rate all, slow;
};

/* So many stacks a second are wished for. */
struct stack_wanted {
    double all, slow;
};

/* A stack came, of a thread that waits long or not. */
void stack_rates_note(struct stack_rates *rates, bool is_long);
/* So many waits it stands for. */
uint32_t stack_rates_one_in(const struct stack_rates *rates, bool is_long);
/* After `elapsed_ns` in which events came. What is to be one in more than two is drawn from half of it to three halves,
 * by `random`, which goes on: of threads that take turns each comes to it. */
void stack_rates_follow(struct stack_rates *rates, const struct stack_wanted *wanted,
                        uint64_t elapsed_ns, uint64_t *random);
/* Other threads wait long from now on: no more of them are told than is wished for, however often they wait. */
void stack_rates_other_slow(struct stack_rates *rates, const struct stack_wanted *wanted);
/* From half of the mean to three halves. */
double stack_rates_drawn(uint64_t *random, double mean);

#endif
