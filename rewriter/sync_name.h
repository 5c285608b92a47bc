/* sync_name.h - the synchronization functions that the runtime has a hook for, as plain data.
 *
 *     int i = sync_name_find("pthread_mutex_lock");
 *     sync_names[i].hook                             "mutex_lock", a member of struct vprof_hooks_1
 *     SYNC_BIT(i)                                    in the sets of functions that facts carry
 *
 * Some that wait for nobody are redirected all the same: a try takes what others wait for, after a
 * dlopen there are new tables to fill, a longjmp leaves timed calls, pipe() and the like tell which
 * descriptors others can be waited for through, mmap() and the like what is shared memory,
 * swapcontext() and setcontext() which stack a thread goes on with, _Fork() and clone() make
 * processes.
 */
#ifndef REWRITER_SYNC_NAME_H
#define REWRITER_SYNC_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum sync_trait {
    SYNC_TRAIT_STANDARD = 1,  /* the headers of C++'s <mutex>, <thread> and the like call it */
    SYNC_TRAIT_CALL = 2,      /* seldom a wait: timed where opened, as any call without a body */
    SYNC_TRAIT_FORTIFIED = 4, /* glibc's headers redirect it where _FORTIFY_SOURCE is on */
    SYNC_TRAIT_LONG = 8,      /* its result is a long, not an int */
    SYNC_TRAIT_POINTER = 16,  /* its result is a void *, not an int */
    SYNC_TRAIT_VARIADIC = 32  /* long(long, ...), or clone(); declared otherwise it is left alone */
};

struct sync_name {
    const char *function;
    const char *hook;
    uint32_t arity;
    const char *types; /* of its parameters, as a wrapper takes them; of arity 0: which wrapper */
    uint32_t traits;   /* enum sync_trait, or-ed */
};

enum { SYNC_NAME_COUNT = 83, SYNC_NAME_NONE = -1, SYNC_ARITY_MOST = 6 };
extern const struct sync_name sync_names[SYNC_NAME_COUNT];

/* A set has a bit for each index in sync_names. */
typedef unsigned __int128 sync_set;

#define SYNC_BIT(i) ((sync_set)1 << (i))
/* This bit says that a class or function of namespace std that synchronizes is used. */
#define SYNC_STANDARD SYNC_BIT(127)
/* These bits say that OpenMP's regions are used that a team of threads runs; and such of which
 * who waits for whom can't be told. */
#define SYNC_TEAM SYNC_BIT(126)
#define SYNC_TEAM_HIDDEN SYNC_BIT(125)

int sync_name_find(const char *function);

/* The answer says what a use of a class or function of namespace std redirects: SYNC_STANDARD
 * where it takes, waits, or starts a thread by pthreads, `syscall` where it waits by futexes. */
sync_set sync_name_standard(const char *name);

/* The answer is the same for a member of any other class: wait, notify_one, ... of atomics. */
sync_set sync_name_member(const char *name);

/* These lines go on top of a translation unit: every use of the functions in `set` goes through a
 * wrapper there, but for those in `never`. */
void sync_name_redirect(struct str *text, sync_set set, sync_set never);

#endif
