/* interval_guess.h - where a program that is not annotated probably has its intervals.
 *
 *     struct interval_guess guess = {0};
 *     interval_guess_find(&guess, ".");
 *     guess.likely[0]:   handle (server.c:80), called after recv in serve (server.c:120)
 *
 * It guesses from the text alone, without compiling: a loop that takes requests (accept, recv,
 * epoll_wait, a queue's pop) and a function of the program that is called after it. The likeliest
 * comes first. Texts are in the arena.
 */
#ifndef DRIVER_COMMANDS_INTERVAL_GUESS_H
#define DRIVER_COMMANDS_INTERVAL_GUESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct place_in_source {
    const char *function;
    const char *file; /* below the source folder */
    uint32_t line;
};

enum { LOOP_CALLS = 32 };

/* The loop takes requests, and calls these functions afterwards. */
struct request_loop {
    struct place_in_source place;
    const char *source; /* "recv" */
    unsigned weight;
    const char *calls[LOOP_CALLS];
    uint32_t call_count;
};

struct likely_interval {
    struct place_in_source place; /* an interval may be one call of this */
    struct place_in_source loop;
    const char *source;
    unsigned weight; /* INTERVAL_SURE or more: good enough to begin with */
};
enum { INTERVAL_SURE = 4 };

struct interval_guess {
    struct arena arena;
    struct place_in_source *functions; /* with a body */
    uint32_t function_count, function_capacity;
    struct request_loop *loops;
    uint32_t loop_count, loop_capacity;
    struct likely_interval *likely;
    uint32_t likely_count, likely_capacity;
    uint32_t file_count;
    bool annotated; /* SI_BEGIN stands somewhere */
};

void interval_guess_find(struct interval_guess *guess, const char *source);
void interval_guess_release(struct interval_guess *guess);

/* Scans one file's text; messages call it `file`. */
void interval_guess_scan(struct interval_guess *guess, const char *file, const char *text);

#endif
