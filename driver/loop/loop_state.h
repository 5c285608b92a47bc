/* loop_state.h - what an iterate remembers, so that a later process can go on with it.
 *
 *     vprofiler-out/003/loop.json      replaced at once, whenever a round is measured or decided
 *
 *     struct loop_state state = {0};
 *     loop_state_begin(&state, &options);                  the command line, its paths absolute
 *     loop_state_note(&state, &loop);                      the functions that are open
 *     loop_state_write(&state, root, &error);
 *
 *     loop_state_read(&state, root, &error);               later
 *     char **words = loop_state_words(&state, argc, argv); that command line, then the new one
 *     loop_state_restore(&state, &loop, &error);
 *
 * `round` is the one to go on with; where it is `measured`, its trace lies there and only has to
 * be analysed again. Round 0: nothing is known yet. Owns its JSON values.
 */
#ifndef DRIVER_LOOP_LOOP_STATE_H
#define DRIVER_LOOP_LOOP_STATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "driver/loop/iterate_options.h"
#include "driver/loop/refine_loop.h"

struct loop_state {
    json_t *words, *command; /* options; what stood after the -- */
    json_t *typed;           /* the command line as it was typed, for the report */
    json_t *opened, *timed, *hot, *seen;
    unsigned round;
    bool measured;
    int64_t copied_s;              /* when the copy of the tree was begun; 0: not known */
    bool building;                 /* the copy may hold half of what a build makes */
    double longest_s;              /* the longest round so far */
    uint64_t sources;              /* loop_state_hash_sources */
    struct interval_summary first; /* of the first instrumented round; count 0: not yet */
};

void loop_state_begin(struct loop_state *state, const struct iterate_options *options);
/* Begins again with options that may be others now; the report then tells both command lines. */
void loop_state_begin_again(struct loop_state *state, const struct iterate_options *options);
void loop_state_note(struct loop_state *state, const struct refine_loop *loop);
bool loop_state_write(const struct loop_state *state, const char *root, struct error *error);

bool loop_state_read(struct loop_state *state, const char *root, struct error *error);
/* Gives an argv for command_take, with argv[1] and so on at its end; lives as long as the
 * process. */
char **loop_state_words(const struct loop_state *state, int argc, char **argv, int *count);
/* The loop's table must be that of the sources then: see `sources`. */
bool loop_state_restore(const struct loop_state *state, struct refine_loop *loop,
                        struct error *error);
/* Hashes the functions, and the text of those files that hold them and lie in `source`. */
uint64_t loop_state_hash_sources(const struct function_table *table, const char *source);
void loop_state_release(struct loop_state *state);

#endif
