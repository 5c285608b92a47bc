/* pace.h - when to record and when to pause, so that recording takes no more than its share.
 *
 *     recorded  |--200 ms--|                 |--200 ms--|               |--200 ms--|
 *     paused                 |- as long as the share asks, by chance half as long or longer -|
 *
 * The share grows with time, and each event and the recorder's own thread take from it; what is not
 * used is kept for a while, so that a program that begins busily is seen whole. Pauses end by chance,
 * so that what a program does with regularity is neither always seen nor never.
 */
#ifndef SAMPLER_PACE_H
#define SAMPLER_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
    double share; /* processors that recording may take; 0: all it needs, and it never pauses */
    double left_ns, most_ns; /* of it; what may be kept */
    uint64_t at_ns;          /* what is left was of this moment */
    uint64_t since_ns;       /* the present window or pause began */
    uint64_t until_ns;       /* the pause ends; 0: there is none */
    double taken_ns;         /* in the present window */
    uint64_t random;
};

/* The first `free_ns` of a processor count for nothing. */
void pace_init(struct pace *pace, double share, double free_ns, uint64_t now_ns);
/* Recording has taken this much more: so many events, and the recorder's thread so long. */
void pace_take(struct pace *pace, uint64_t events, uint64_t own_ns);
/* Whether to record from now on. */
bool pace_records(struct pace *pace, uint64_t now_ns);

#endif
