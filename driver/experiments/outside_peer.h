/* outside_peer.h - is anybody connected with the run's processes who is none of them, and goes on while they wait?
 *
 *     outside_peer_find(pids, count, &name)         true: "10.0.0.7:5432" or "127.0.0.1:6379 (redis-benchmark)"
 *
 * Of established TCP connections, as /proc has them: the other end of one on this machine is a socket of one of its
 * processes. Sockets of the file system are taken for the run's own. What may not be read is not known: false.
 */
#ifndef DRIVER_EXPERIMENTS_OUTSIDE_PEER_H
#define DRIVER_EXPERIMENTS_OUTSIDE_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

bool outside_peer_find(const uint32_t *pids, uint32_t count, struct str *name);

#endif
