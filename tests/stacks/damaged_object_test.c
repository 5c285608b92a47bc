/* sampler/unwind_object.h and symbol/frame_table.h on programs that are damaged: where headers, .eh_frame_hdr or .eh_frame
 * say anything at all, and where the file ends early. Whatever they say then, nothing outside of the file is read, and what
 * is told keeps its promises. */
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash_map.h"
#include "check.h"
#include "sampler/unwind_object.h"
#include "symbol/frame_table.h"

enum { ADDRESSES = 40, MOST_PARTS = 4, MOST_DAMAGE = 8 };
#define BASE UINT64_C(0x10000)

struct part {
    size_t at, bytes;
};

struct program {
    unsigned char *bytes;
    size_t size;
    struct part parts[MOST_PARTS];
    size_t part_count;
};

static uint64_t random_state;

static uint64_t drawn(uint64_t below)
{
    return hash_mix(random_state++) % below;
}

static void add_part(struct program *program, size_t at, size_t bytes)
{
    if (bytes && program->part_count < MOST_PARTS)
        program->parts[program->part_count++] = (struct part){at, bytes};
}

static void find_parts(struct program *program)
{
    Elf *elf = elf_memory((char *)program->bytes, program->size);
    GElf_Ehdr header;
    size_t names;
    CHECK(elf && gelf_getehdr(elf, &header) && elf_getshdrstrndx(elf, &names) == 0);
    add_part(program, EI_NIDENT, sizeof(Elf64_Ehdr) - EI_NIDENT);
    add_part(program, header.e_phoff, (size_t)header.e_phnum * header.e_phentsize);
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr at;
        const char *name = gelf_getshdr(section, &at) ? elf_strptr(elf, names, at.sh_name) : NULL;
        if (name && strncmp(name, ".eh_frame", 9) == 0)
            add_part(program, at.sh_offset, at.sh_size);
    }
    elf_end(elf);
    CHECK(program->part_count == MOST_PARTS);
}

static bool read_program(struct program *program, const char *path)
{
    *program = (struct program){0};
    FILE *file = fopen(path, "rbe");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return false;
    program->size = (size_t)ftell(file);
    program->bytes = malloc(program->size);
    rewind(file);
    bool whole = program->bytes && fread(program->bytes, 1, program->size, file) == program->size;
    fclose(file);
    return whole;
}

/* Gives how much of it is left. */
static size_t damage(const struct program *program, unsigned char *bytes)
{
    memcpy(bytes, program->bytes, program->size);
    for (uint64_t i = 0, count = 1 + drawn(MOST_DAMAGE); i < count; i++) {
        const struct part *part = &program->parts[drawn(program->part_count)];
        static const unsigned char telling[] = {0, 1, 0x7f, 0x80, 0xff};
        bytes[part->at + drawn(part->bytes)] =
            drawn(2) ? telling[drawn(sizeof telling)] : (unsigned char)drawn(256);
    }
    return drawn(8) ? program->size : 1 + drawn(program->size);
}

/* Gives how many addresses it knows. */
static int unwind(int fd, const struct program *program)
{
    int known = 0;
    struct unwind_object *object = unwind_object_open(fd, "damaged");
    for (int i = 0; i < ADDRESSES; i++) {
        uint64_t address;
        if (!unwind_object_address(object, drawn(program->size), &address))
            address = drawn(program->size);
        const struct unwind_row *row = unwind_object_row(object, address);
        CHECK(row->begin <= address && (address < row->end || row->end == row->begin));
        known += row->kind != UNWIND_NO_ROW;
    }
    unwind_object_close(object);
    return known;
}

static int find_functions(int fd, const struct program *program)
{
    int known = 0;
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address};
    Dwfl *dwfl = dwfl_begin(&callbacks);
    Dwfl_Module *module = dwfl_report_elf(dwfl, "damaged", "damaged", dup(fd), BASE, false);
    GElf_Addr bias = 0;
    dwfl_report_end(dwfl, NULL, NULL);
    for (int i = 0; module && dwfl_module_getelf(module, &bias) && i < ADDRESSES; i++) {
        struct frame_table_row row = {0};
        uint64_t address = bias + drawn(program->size);
        if (!frame_table_find(module, address, &row))
            continue;
        CHECK(row.start <= address - bias);
        known++;
    }
    dwfl_end(dwfl);
    return known;
}

/* Gives how much was found. */
static int look(const struct program *program, const unsigned char *bytes, size_t size)
{
    int fd = memfd_create("damaged", MFD_CLOEXEC);
    CHECK(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    int rows = unwind(fd, program), functions = find_functions(fd, program);
    close(fd);
    return rows < functions ? rows : functions;
}

/* damaged_object_test PROGRAM [TIMES [SEED]] */
int main(int argc, char **argv)
{
    struct program program;
    int times = argc > 2 ? atoi(argv[2]) : 1000;
    random_state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    elf_version(EV_CURRENT);
    CHECK(argc > 1 && read_program(&program, argv[1]));
    if (CHECK_DONE())
        return 1;
    find_parts(&program);
    unsigned char *bytes = malloc(program.size);
    CHECK(look(&program, program.bytes, program.size) > 0);
    int told = 0;
    for (int i = 0; bytes && i < times; i++) {
        size_t size = damage(&program, bytes);
        told += look(&program, bytes, size) > 0;
    }
    printf("of %d damaged programs %d still tell something\n", times, told);
    CHECK(told > times / 10);
    free(bytes);
    free(program.bytes);
    return CHECK_DONE();
}
