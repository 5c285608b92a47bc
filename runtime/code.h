/* code.h - the code of a linked object, of which all processes that want it alike share one copy.
 *
 *     off    r-xp 00098000 /usr/lib/postgresql/15/bin/postgres
 *     on     r-xp 00000000 $VPROF_TRACE_DIR/code-postgres-1e240c8f0d5a11b7
 *
 * Code that a process changes itself is its own from then on: many processes of one program no
 * longer share it in the processor's caches. So whoever comes first writes what the code is to be
 * into a file, and each process maps that over the object's own, at a moment of its own choice. A
 * file that is complete is never changed; its name says what is in it: of which object, with which
 * changes. Who leaves it for another one removes it. Without changes the object's own file is
 * mapped again.
 *
 * What can't be done so is left to the caller, for good: the object lies in more mappings than one,
 * or can't be opened any more; another tool has changed its code (a debugger's breakpoint, uprobes,
 * relocations in it); the folder takes no files, or no code.
 *
 * It is for one thread at a time, and for objects that can't be unloaded. Signal-safe; no
 * allocation; errno is not kept.
 */
#ifndef RUNTIME_CODE_H
#define RUNTIME_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "runtime/maps.h"

struct code {
    struct maps_line own; /* its mapping as the loader made it; `start` 0: not known yet */
    uint64_t set;         /* what is mapped: the changes' number; 0: its own file */
    ino_t inode;          /* of what is mapped */
    bool alone;           /* it is not, and will not be shared */
};

/* The copy has what is mapped at `start`, and is still to be changed. */
struct code_copy {
    unsigned char *bytes;
    uintptr_t start;
    size_t size;
};

/* `make` changes a copy; false: it can't. `set` is another number for other changes, 0 for none. */
struct code_change {
    uint64_t set;
    bool (*make)(const void *context, struct code_copy copy);
    const void *context;
};

enum code_result {
    CODE_SHOWN, /* the code is as it was wanted */
    CODE_BUSY,  /* another process is making the file; nothing is changed */
    CODE_ALONE  /* nothing is changed, now and for ever */
};

/* The number of a set of values with one more in it: a hash that tells sets apart. */
uint64_t code_mix(uint64_t set, uint64_t value);

/* The object's code, which holds the address `inside`, becomes what the change says. */
enum code_result code_show(struct code *code, const void *inside, const struct code_change *change);

#endif
