/* request_descriptor.h - requests by what is read from sockets and answered.
 *
 *     read 7 .... write 7 ......... read 7 .. write 7, write 7 ... epoll_wait
 *          |------------|                |-----------------|
 *
 * A request lasts from the end of a read on a socket to the end of the last write on it by the same
 * thread before its next read on it, or before it waits for many descriptors (epoll_wait): what it
 * writes after that is another answer. A request without an answer goes on when its thread waits so, as
 * one of a database's that waits for a lock, or of a proxy that asks another server. Of several reads
 * without an answer between them the last one counts: the request was not whole before. A connection
 * that is greeted before anything is read from it is a request, too.
 *
 * The thread works for the request that it read or wrote last; while it waits for many descriptors, only
 * if none but that one is open. Sockets that the program connected itself, or on which it was first seen
 * to write, are not its clients' and left out.
 */
#ifndef STACKS_REQUEST_DESCRIPTOR_H
#define STACKS_REQUEST_DESCRIPTOR_H

#include "stacks/found_requests.h"

void request_descriptors_find(struct found_requests *list, const struct request_hits *hits);

#endif
