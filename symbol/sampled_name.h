/* sampled_name.h - what the functions of sampled stacks are called.
 *
 *     struct sampled_names *names = sampled_names_open(run->wait_stacks);
 *     struct sampled_frame frames[SAMPLED_MOST];
 *     uint32_t count = sampled_names_stack(names, &run->sampled_stacks[12], frames);
 *     frames[0].name "futex_wait", FRAME_KERNEL ... [4] "take_order", FRAME_PROGRAM
 *
 * The kernel's own way into its scheduler, and from the system call to it, is left out: it is the
 * same in every stack. What has no name is told by its file, in brackets; a function by its
 * name, whatever part or copy of it the compiler made. Texts belong to `names`.
 */
#ifndef SYMBOL_SAMPLED_NAME_H
#define SYMBOL_SAMPLED_NAME_H

#include "trace/sample.h"

enum frame_kind {
    FRAME_KERNEL,
    FRAME_LIBRARY,
    FRAME_PROGRAM,
    FRAME_NONE /* of no function: what a reader of stacks puts among them; no sampled one */
};

struct sampled_frame {
    const char *name;
    enum frame_kind kind;
    const char *object; /* the file that holds it, without folders; "": not known; "kernel" */
    const char *file;   /* where the function begins, by debug information; "": not known */
    uint32_t line;
    bool inlined; /* into the next one */
    /* Of a function without a name, where the table for unwinding has it (frame_table.h); else 0. */
    uint64_t start, shape;
};

enum { SAMPLED_MOST = 1024 };

struct sampled_names;
struct symbolizer;

/* Borrows the stacks. */
struct sampled_names *sampled_names_open(const struct wait_stacks *stacks);
/* From here on functions that were inlined have frames of their own, where debug information tells of
 * them, and all have the place where they begin. What has no name is told by where it begins, too:
 * "[server+0x1a40]". */
void sampled_names_look_inside(struct sampled_names *names);
/* Gives the number of frames, the innermost first. */
uint32_t sampled_names_stack(struct sampled_names *names, const struct sampled_stack *stack,
                             struct sampled_frame frames[SAMPLED_MOST]);
/* That of a process, or NULL: its maps are not known. */
struct symbolizer *sampled_names_symbolizer(struct sampled_names *names, uint32_t pid);
void sampled_names_close(struct sampled_names *names);

#endif
