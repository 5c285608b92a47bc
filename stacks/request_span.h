/* request_span.h - requests from one point to another, also of another thread.
 *
 *     thread 1   begin 0x7010 ..............begin 0x7020 ...
 *     thread 2                   ....... end 0x7010
 *     requests   |------------------------|                  0x7010: begun by thread 1, ended by 2
 *     works      |=== thread 1 ===|                          until the end, or thread 1 begins the next
 *
 * By value, hits of one value and process are of one request; else those of one thread are. A request
 * that begins again before it has ended is replaced. Which thread works for it in between is not known:
 * the one that began it is taken to, until it begins or ends something else.
 */
#ifndef STACKS_REQUEST_SPAN_H
#define STACKS_REQUEST_SPAN_H

#include "stacks/found_requests.h"

void request_spans_find(struct found_requests *list, const struct request_hits *hits);

#endif
