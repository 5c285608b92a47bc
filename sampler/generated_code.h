/* generated_code.h - what code is called that a program made as it ran, where the program writes that down.
 *
 *     3ef414c0 398 JS:*work file:///srv/app.js:12:14        in /tmp/perf-PID.map: begin, bytes, name
 *
 * That file is what `node --perf-basic-prof`, `python3 -X perf` from 3.12 on and agents of Java write
 * (Documentation of the kernel, tools/perf/Documentation/jit-interface.txt). Where code took the place of other
 * code the latest name counts.
 */
#ifndef SAMPLER_GENERATED_CODE_H
#define SAMPLER_GENERATED_CODE_H

#include <sys/types.h>

#include "base/hash_map.h"
#include "base/str.h"

/* Appends a line for each address that has a name: as it is told (the key), and the name. The value is the address in the
 * process. */
void generated_code_tell(pid_t pid, const struct hash_map *addresses, struct str *text);

#endif
