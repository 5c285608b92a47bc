/* request_path.h - where a request is received and answered, by the program's flow.
 *
 *     while ((n = recv(fd, b, size, 0)) > 0)      the source: recv, of an accepted descriptor
 *         answer(fd, b);                          -> send(fd, ...), the sink: an interval is one
 *                                                 call of answer
 *
 * From each source it goes up the callers to the innermost function from which an answer is reached
 * too: one call of it is a request, or one turn of the loop in it that receives. Where another
 * thread answers, the request begins where it is handed over. No names of the program are looked
 * at. Texts are in the flow's arena.
 */
#ifndef DRIVER_INIT_REQUEST_PATH_H
#define DRIVER_INIT_REQUEST_PATH_H

#include "driver/init/flow_graph.h"
#include "driver/init/request.h"

void request_paths_find(struct request_paths *paths, struct flow_graph *graph);
void request_paths_release(struct request_paths *paths);

#endif
