/* point_object.h - a program or library as a file: which functions it has, and where they lie in it.
 *
 *     struct point_object object;
 *     if (point_object_open(&object, "/usr/sbin/server", &error)) {
 *         object.functions[0 .. count)           by address: {"main", 0x1130, 85}, ...
 *         point_object_offset(&object, 0x1130, &offset)
 *         point_object_close(&object);
 *     }
 *
 * Functions come from .symtab, .dynsym and .gnu_debugdata; separate debug files are not looked for, and
 * nothing is fetched. Addresses are those of the file. What is given out is valid until the close.
 */
#ifndef SAMPLER_POINT_OBJECT_H
#define SAMPLER_POINT_OBJECT_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct object_function {
    const char *symbol; /* the linker's name */
    uint64_t address, size;
};

struct point_object {
    struct str path;
    Dwfl *dwfl;
    Elf *elf;
    unsigned machine;                  /* EM_X86_64 ... */
    struct object_function *functions; /* by address, and by name; none is there twice */
    size_t count;
};

/* ERROR_USAGE: there is no such file, or it is no program. */
bool point_object_open(struct point_object *object, const char *path, struct error *error);
void point_object_close(struct point_object *object);
/* The function that begins at the address, or NULL. */
const struct object_function *point_object_function_at(const struct point_object *object,
                                                       uint64_t address);
/* Whether C++ exceptions, or what is like them, may be thrown by it or through it. */
bool point_object_may_throw(const struct point_object *object);
/* A section of that name, or NULL. */
Elf_Scn *point_object_section(const struct point_object *object, const char *name,
                              GElf_Shdr *header);
/* Where an address lies in the file. False: in none of what is loaded from it. */
bool point_object_offset(const struct point_object *object, uint64_t address, uint64_t *offset);
/* `size` bytes of the file at an address, or NULL. */
const unsigned char *point_object_bytes(const struct point_object *object, uint64_t address,
                                        size_t size);

#endif
