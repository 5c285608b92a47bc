/* stack_file.h - writes the stacks of waits: each different one once, and who had it when.
 *
 *     stack 12: 0x55d0c0de1234 0x7f...        once
 *     at 3.201 s thread 7 began to wait, stack 12
 *
 * There are as many different ones as `most_bytes` hold: what comes then has its stack where it is one of
 * them, and otherwise none, which is counted. What a program does oftenest is among them.
 *
 * One more recorder's file of a run, "stacks.vtr". The maps of each process and the names of the
 * kernel's functions that stacks hold are written at the end.
 */
#ifndef SAMPLER_STACK_FILE_H
#define SAMPLER_STACK_FILE_H

#include "base/hash_map.h"
#include "base/str.h"
#include "sampler/recorder_file.h"

struct stack_file {
    struct recorder_file file;
    struct hash_map numbers; /* of a stack's content -> its number */
    uint32_t count;
    uint64_t bytes;      /* of stacks */
    uint64_t most_bytes; /* of them */
    char *chunk;         /* they are gathered in */
    size_t used;
    struct hash_map kernel; /* addresses of the kernel that stacks hold */
    uint64_t without;       /* stacks that found no room any more */
};

/* The innermost address first, those of the kernel before those of the process. */
struct stack_content {
    uint32_t pid;
    uint16_t size, kernel;
    enum trace_cut cut; /* why where the thread began was not reached */
    const uint64_t *addresses;
};

/* `most_bytes` 0: 64 MiB. */
bool stack_file_open(struct stack_file *file, const char *path, uint32_t processors,
                     uint64_t most_bytes, struct error *error);
/* Gives the stack's number, or 0: there have been too many different ones. */
uint32_t stack_file_number(struct stack_file *file, const struct stack_content *content);
void stack_file_add(struct stack_file *file, uint32_t processor, uint64_t time_ns,
                    struct trace_wait_stack *record);
void stack_file_add_sample(struct stack_file *file, uint32_t processor, uint64_t time_ns,
                           struct trace_sample *record);
/* Nothing is written where it is empty. */
void stack_file_add_text(struct stack_file *file, enum trace_chunk_kind kind, uint32_t pid,
                         const char *text);
struct object_set;
/* Which files those are that stacks lie in. */
void stack_file_add_files(struct stack_file *file, const struct object_set *objects);
/* How far stacks could be followed in each of the objects. */
void stack_file_add_unwound(struct stack_file *file, const struct trace_unwinding *unwinding,
                            const struct object_set *objects);
/* False: not all could be written. The file is closed either way. */
bool stack_file_close(struct stack_file *file, struct error *error);

#endif
