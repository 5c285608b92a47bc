/* request_pair.h - requests that are calls of a function: from its entry to its return.
 *
 *     enter sp 900   enter sp 800   leave sp 800   leave sp 900        one request: the outermost call
 *     enter sp 900   enter sp 900   leave sp 900                       the first was left by a jump
 *     enter sp 900   enter sp 900   leave sp 900   leave sp 900        the function called itself last
 *     enter sp 800   leave sp 900                                      left by a jump; the end of another
 *
 * Where a function may jump to its own beginning, what comes there with the same stack pointer is the
 * same call, and the second of these cases is not told from it.
 *
 * A hit's `second` is the stack pointer when the function was called, which tells which call returns: the
 * stack grows to lower addresses. Fibers, whose stacks are not those of their threads, are not told
 * apart.
 */
#ifndef STACKS_REQUEST_PAIR_H
#define STACKS_REQUEST_PAIR_H

#include "stacks/found_requests.h"

void request_pairs_find(struct found_requests *list, const struct request_hits *hits);

#endif
