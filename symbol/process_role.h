/* process_role.h - what the processes of one program are for, by the functions that they are in.
 *
 *     server 11    main, start, write_log ...          role write_log
 *     server 12    main, start, serve_client ...       role serve_client
 *     server 13    main, start, serve_client ...       the same
 *
 * Where no title says it (title_role.h). Of each process the program's own functions count, outermost first, as
 * far as nearly all of its stacks have the same. Those of one name that differ have the roles in which they
 * differ first; where one of them goes no further than the others agree, it may be in the same function as
 * another, and nothing is told.
 */
#ifndef SYMBOL_PROCESS_ROLE_H
#define SYMBOL_PROCESS_ROLE_H

#include "symbol/sampled_name.h"
#include "trace/off_cpu.h"

/* In so many of a process's stacks a function is, and so many there are (chosen): else it may be chance. */
#define PROCESS_ROLE_PART 0.9
#define PROCESS_ROLE_STACKS 20u

struct process_roles {
    const char **of_task; /* NULL: none; the names', borrowed */
};

void process_roles_find(struct process_roles *roles, struct sampled_names *names,
                        const struct timelines *run);
void process_roles_release(struct process_roles *roles);

/* For tests: `paths` are of processes of one name; each of functions, ended by NULL. Fills in roles[path], or NULL. */
void process_roles_of_paths(const char *const *const *paths, uint32_t count, const char **roles);

#endif
