/* point_wish.h - between which points of a program its requests lie, as a user says it.
 *
 *     struct point_wishes wishes = {0};
 *     point_wishes_add_interval(&wishes, "handle_request", &error)        from its call to its return
 *     point_wishes_add_span(&wishes, "enqueue", "finish", "2,1", &error)  the 2nd argument of the one is
 *                                                                         the 1st one of the other
 *     point_wishes_add_usdt(&wishes, "postgresql:query__start,query__done", NULL, &error)
 *     point_wishes_add_descriptor(&wishes, &error)                        from a read to the answer
 *     point_wishes_release(&wishes);
 *
 * A function is told as FUNCTION or FUNCTION@FILE, where FILE is a library, and FUNCTION is the name as
 * in the source ("Pool::run"), as the linker has it ("_ZN4Pool3runEv"), or an address in the file
 * ("0x1230"). FUNCTION%return is the moment at which it returns. Plain data: nothing of the program is
 * looked at here, nor is it known whether there are such functions. Errors are ERROR_USAGE.
 */
#ifndef SAMPLER_POINT_WISH_H
#define SAMPLER_POINT_WISH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { POINT_WISHES_MOST = 16, POINT_ARGUMENTS = 6, POINT_RETURNED = 7 };

/* A moment of the program: a function is called, or returns; or a static probe is reached. */
struct point_spot {
    char *name;       /* of a function, or PROVIDER:NAME; owned; NULL: the end is to be found */
    char *file;       /* that it is in; owned; NULL: the program */
    bool at_return;   /* of a function */
    uint8_t argument; /* which tells the request: 1 to 6, or POINT_RETURNED; 0: its thread does */
};

enum point_wish_kind {
    WISH_INTERVAL,  /* calls of the function `begin` */
    WISH_SPAN,      /* from `begin` to `end`: entries or returns of functions */
    WISH_USDT,      /* from `begin` to `end`: static probes */
    WISH_CALLS,     /* calls of the function `begin`, which are measured and no requests */
    WISH_DESCRIPTOR /* from what is read from a socket to what is written to it then */
};

struct point_wish {
    enum point_wish_kind kind;
    struct point_spot begin, end; /* of a SPAN or USDT both, of an INTERVAL or CALLS `begin` */
    char *label;                  /* of CALLS: what the function is called; owned */
};

struct point_wishes {
    struct point_wish items[POINT_WISHES_MOST];
    uint32_t count;
    /* Returns may be told by the kernel's return probe, which costs less where a processor takes long to
     * execute a single instruction (virtual machines), but hides the callers of the function from whoever else
     * looks at the stack. It is not used where exceptions may pass. */
    bool kernel_returns;
    /* So much of a processor's time may measured calls take, beside what they may take at once; 0: all
     * they need. */
    double share;
};

bool point_wishes_add_interval(struct point_wishes *wishes, const char *function,
                               struct error *error);
/* `id` is "N", "N,M" or NULL: by which argument of the begin, and of the end, a request is told; "return"
 * for what a function returns. Without one, those of one thread belong together. */
bool point_wishes_add_span(struct point_wishes *wishes, const char *begin, const char *end,
                           const char *id, struct error *error);
/* `probes` is PROVIDER:NAME or PROVIDER:NAME,END, where END may have a provider of its own. */
bool point_wishes_add_usdt(struct point_wishes *wishes, const char *probes, const char *id,
                           struct error *error);
/* Calls of a function that are measured; where not all ends of it are known, they are only counted. `label`
 * is what the trace calls it, FUNCTION@FILE; of "@FILE" the function is called as it is here. */
bool point_wishes_add_calls(struct point_wishes *wishes, const char *function, const char *label,
                            struct error *error);
bool point_wishes_add_descriptor(struct point_wishes *wishes, struct error *error);
void point_wishes_release(struct point_wishes *wishes);

#endif
