/* interval_guess.h - where a program that is not annotated probably has its intervals.
 *
 *     struct interval_guess guess = {0};
 *     if (interval_guess_find(&guess, tree, &db, jobs, &error)) ...
 *     guess.paths.items[0]           the likeliest (request_path.h); guess.paths.sure
 *     interval_guess_write(&guess, 0, &text)        as a vprofiler.json
 *
 * The compiled files are parsed: what an #ifdef leaves out, what belongs to another platform and
 * what is off is not there. Tests and examples are left out, unless there is nothing else.
 */
#ifndef DRIVER_INIT_INTERVAL_GUESS_H
#define DRIVER_INIT_INTERVAL_GUESS_H

#include "base/error.h"
#include "base/str.h"
#include "driver/init/request_path.h"
#include "rewriter/compile_db.h"

struct interval_guess {
    struct flow flow;
    struct flow_graph graph;
    struct request_paths paths;
    const char *annotated; /* a function that marks intervals by itself, or NULL */
};

bool interval_guess_find(struct interval_guess *guess, const char *tree, struct compile_db *db,
                         unsigned jobs, struct error *error);
/* Writes the declaration of one of its paths. */
void interval_guess_write(const struct interval_guess *guess, uint32_t path, struct str *text);
/* "one call of serve (server.c:50)", and for people more of it, each on a line of its own. */
void interval_guess_describe(const struct interval_guess *guess, uint32_t path, struct str *text);
void interval_guess_release(struct interval_guess *guess);

#endif
