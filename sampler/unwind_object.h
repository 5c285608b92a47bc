/* unwind_object.h - how to get from a frame to its caller in one object, a program or a library.
 *
 *     addresses of the object     the frame begins at    its caller's registers are at
 *     0x1130 to 0x1134            rsp + 8                return -8
 *     0x1134 to 0x1190            rsp + 16               return -8, rbx -16
 *     0x1190 to 0x11a2            rbp + 16               return -8, rbp -16
 *
 * A row is asked of libdw once, when an address of its range is first met, and kept; to find it
 * again takes a search. All processes that map the same file share the object. A row that is no fixed
 * offset keeps its expressions. One thread at a time.
 */
#ifndef SAMPLER_UNWIND_OBJECT_H
#define SAMPLER_UNWIND_OBJECT_H

#include <elfutils/libdw.h>

#include "base/arena.h"
#include "sampler/file_identity.h"
#include "sampler/unwind_machine.h"
#include "trace/trace_format.h"

enum unwind_row_kind {
    UNWIND_NO_ROW,  /* the object tells nothing of the address */
    UNWIND_OFFSETS, /* all by fixed offsets */
    UNWIND_SPECIAL, /* by expressions */
    UNWIND_START    /* the thread began here: there is no caller */
};

/* Of a register: it is what it was, is lost, or lies at so many bytes from the frame's beginning. */
enum { UNWIND_SAME = INT16_MAX, UNWIND_LOST = INT16_MAX - 1, UNWIND_FARTHEST = 30000 };

struct unwind_special;

struct unwind_row {
    uint64_t begin, end; /* addresses of the object */
    const struct unwind_special *special;
    int32_t cfa_offset;
    uint8_t cfa_register;
    uint8_t kind;              /* enum unwind_row_kind */
    bool interrupt;            /* a signal's frame: its caller was interrupted, and made no call */
    int16_t kept[UNWIND_KEPT]; /* in the order of unwind_kept */
};

/* A rule of a special row: no operations and not `same`: lost. */
struct unwind_rule {
    const Dwarf_Op *operations;
    size_t count;
    bool same;
};

struct unwind_special {
    struct unwind_rule cfa, registers[UNWIND_REGISTERS];
};

/* Where bytes of the file that can be executed are loaded. */
struct unwind_segment {
    uint64_t offset, bytes, address;
};

struct unwind_object {
    char *path;                 /* as a process's maps have it */
    struct file_identity file;  /* zeros: of none */
    Elf *elf;                   /* NULL: it is no program or library, or one of these two */
    bool gone;                  /* it could not be read */
    bool foreign;               /* it is for another machine */
    Dwarf_CFI *cfi, *debug_cfi; /* .eh_frame; .debug_frame, of objects that have only that */
    Dwarf *dwarf;
    bool debug_looked; /* for .debug_frame */
    struct unwind_segment *segments;
    size_t segment_count;
    uint64_t first_address;  /* of the page that its first loaded byte lies in */
    uint64_t last_address;   /* behind the page of its last one */
    struct unwind_row *rows; /* by address */
    size_t row_count, row_capacity;
    struct arena arena;
    uint64_t by_rows, by_pointers; /* frames that led to their callers, or had none */
    uint64_t ended[TRACE_CUTS];    /* stacks whose outermost known call lies here, by trace_cut */
};

/* The descriptor may be closed afterwards; -1: there is none, and nothing is known of the object. */
struct unwind_object *unwind_object_open(int fd, const char *path);
/* An image in memory, which stays there. */
struct unwind_object *unwind_object_open_image(char *image, size_t size, const char *path);
/* The object's address of a byte of its file, where that is loaded. */
bool unwind_object_address(const struct unwind_object *object, uint64_t offset, uint64_t *address);
/* Never NULL. It is valid until the next call for this object. */
const struct unwind_row *unwind_object_row(struct unwind_object *object, uint64_t address);
void unwind_object_close(struct unwind_object *object);

#endif
