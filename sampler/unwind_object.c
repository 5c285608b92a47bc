#include "sampler/unwind_object.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define PAGE_REST UINT64_C(4095)

/* ---- the file ---- */

static void read_segments(struct unwind_object *object)
{
    size_t count = 0;
    GElf_Phdr header;
    if (elf_getphdrnum(object->elf, &count) != 0 || !count)
        return;
    object->segments = memory_zeroed(count * sizeof *object->segments);
    object->first_address = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(object->elf, (int)i, &header) || header.p_type != PT_LOAD)
            continue;
        if (header.p_vaddr < object->first_address)
            object->first_address = header.p_vaddr & ~PAGE_REST;
        uint64_t end = (header.p_vaddr + header.p_memsz + PAGE_REST) & ~PAGE_REST;
        object->last_address = end > object->last_address ? end : object->last_address;
        if (header.p_flags & PF_X)
            object->segments[object->segment_count++] =
                (struct unwind_segment){header.p_offset, header.p_filesz, header.p_vaddr};
    }
}

static struct unwind_object *object_of(Elf *elf, const char *path)
{
    struct unwind_object *object = memory_zeroed(sizeof *object);
    GElf_Ehdr header;
    object->path = memory_strdup(path);
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header)) {
        elf_end(elf);
        return object;
    }
    if (!unwind_is_machine(header.e_ident[EI_CLASS], header.e_machine)) {
        elf_end(elf);
        object->foreign = true;
        return object;
    }
    object->elf = elf;
    object->cfi = dwarf_getcfi_elf(elf);
    read_segments(object);
    return object;
}

/* libelf closes no descriptor, and needs none once all is mapped. */
struct unwind_object *unwind_object_open(int fd, const char *path)
{
    elf_version(EV_CURRENT);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (elf)
        elf_cntl(elf, ELF_C_FDREAD);
    struct unwind_object *object = object_of(elf, path);
    object->gone = fd < 0;
    return object;
}

struct unwind_object *unwind_object_open_image(char *image, size_t size, const char *path)
{
    elf_version(EV_CURRENT);
    return object_of(elf_memory(image, size), path);
}

void unwind_object_close(struct unwind_object *object)
{
    if (object->cfi)
        dwarf_cfi_end(object->cfi);
    dwarf_end(object->dwarf);
    elf_end(object->elf);
    memory_free(object->path);
    memory_free(object->segments);
    memory_free(object->rows);
    arena_release(&object->arena);
    memory_free(object);
}

/* The kernel maps whole pages, and what of them lies around a segment's bytes comes with it. */
bool unwind_object_address(const struct unwind_object *object, uint64_t offset, uint64_t *address)
{
    for (int i = 0; i < 2 * (int)object->segment_count; i++) {
        const struct unwind_segment *segment = &object->segments[i % (int)object->segment_count];
        uint64_t rounded = i < (int)object->segment_count ? 0 : PAGE_REST;
        uint64_t begin = segment->offset & ~rounded;
        uint64_t end = (segment->offset + segment->bytes + rounded) & ~rounded;
        if (offset < begin || offset >= end)
            continue;
        *address = offset - segment->offset + segment->address;
        return true;
    }
    return false;
}

/* ---- what libdw says of an address ---- */

static bool is_cfa(const Dwarf_Op *operation)
{
    return operation->atom == DW_OP_call_frame_cfa;
}

/* As dwarf_frame_register gives "at the frame's beginning, and so many bytes". */
static bool offset_of(const Dwarf_Op *operations, size_t count, int16_t *offset)
{
    int64_t bytes = count == 2 ? (int64_t)operations[1].number : 0;
    if (count < 1 || count > 2 || !is_cfa(operations) ||
        (count == 2 && operations[1].atom != DW_OP_plus_uconst) || bytes > UNWIND_FARTHEST ||
        bytes < -UNWIND_FARTHEST)
        return false;
    *offset = (int16_t)bytes;
    return true;
}

/* The stack pointer of the caller is where the frame begins. */
static bool is_usual_stack(const Dwarf_Op *operations, size_t count)
{
    return count == 2 && is_cfa(operations) && operations[1].atom == DW_OP_stack_value;
}

static int kept_at(unsigned number)
{
    for (int i = 0; i < UNWIND_KEPT; i++)
        if (unwind_kept[i] == number)
            return i;
    return -1;
}

struct asked {
    Dwarf_Op *operations, own[3];
    size_t count;
    bool lost, same;
};

static bool ask_register(Dwarf_Frame *frame, unsigned number, struct asked *asked)
{
    asked->operations = NULL;
    if (dwarf_frame_register(frame, (int)number, asked->own, &asked->operations, &asked->count) !=
        0)
        return false;
    asked->lost = asked->count == 0 && asked->operations == asked->own;
    asked->same = asked->count == 0 && !asked->operations;
    return true;
}

/* False: the register needs more than a row has room for. */
static bool take_register(struct unwind_row *row, Dwarf_Frame *frame, unsigned number)
{
    struct asked asked;
    int at = kept_at(number);
    bool known = ask_register(frame, number, &asked);
    if (at >= 0 && (!known || asked.lost))
        row->kept[at] = UNWIND_LOST;
    else if (at >= 0 && asked.same)
        row->kept[at] = UNWIND_SAME;
    else if (at >= 0)
        return offset_of(asked.operations, asked.count, &row->kept[at]);
    else if (number == UNWIND_STACK)
        return known && is_usual_stack(asked.operations, asked.count);
    else
        return !known || asked.count == 0;
    return true;
}

static bool take_cfa(struct unwind_row *row, Dwarf_Frame *frame)
{
    Dwarf_Op *operations;
    size_t count;
    if (dwarf_frame_cfa(frame, &operations, &count) != 0 || count != 1 ||
        operations->atom != DW_OP_bregx || operations->number >= UNWIND_REGISTERS)
        return false;
    row->cfa_register = (uint8_t)operations->number;
    row->cfa_offset = (int32_t)operations->number2;
    return row->cfa_offset == (int64_t)operations->number2;
}

/* On a function's way out compilers tell that its frame gets shorter, but not that a register has its caller's value again:
 * what they say of it lies below the stack pointer then, where nothing is copied, and is in the register. */
static void take_popped(struct unwind_row *row)
{
    for (int i = 0; i < UNWIND_KEPT; i++)
        if (row->cfa_register == UNWIND_STACK && row->kept[i] < -row->cfa_offset)
            row->kept[i] = UNWIND_SAME;
}

static bool take_offsets(struct unwind_row *row, Dwarf_Frame *frame)
{
    bool all = !row->interrupt && take_cfa(row, frame);
    for (unsigned i = 0; all && i < UNWIND_REGISTERS; i++)
        all = take_register(row, frame, i);
    row->kind = UNWIND_OFFSETS;
    if (all)
        take_popped(row);
    return all;
}

static struct unwind_rule copied(struct unwind_object *object, const Dwarf_Op *operations,
                                 size_t count)
{
    Dwarf_Op *copy = ARENA_ARRAY(&object->arena, Dwarf_Op, count);
    if (count)
        memcpy(copy, operations, count * sizeof *copy);
    return (struct unwind_rule){.operations = copy, .count = count};
}

static void take_special(struct unwind_object *object, struct unwind_row *row, Dwarf_Frame *frame)
{
    struct unwind_special *special = ARENA_NEW(&object->arena, struct unwind_special);
    struct asked asked;
    Dwarf_Op *operations;
    size_t count;
    row->kind = UNWIND_NO_ROW;
    if (dwarf_frame_cfa(frame, &operations, &count) != 0 || !count)
        return;
    special->cfa = copied(object, operations, count);
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++) {
        if (!ask_register(frame, i, &asked) || asked.lost)
            continue;
        special->registers[i] = copied(object, asked.operations, asked.count);
        special->registers[i].same = asked.same;
    }
    row->special = special;
    row->kind = UNWIND_SPECIAL;
}

static bool is_start(Dwarf_Frame *frame)
{
    struct asked asked;
    return ask_register(frame, UNWIND_RETURN, &asked) && asked.lost;
}

/* Where a row begins, libdw does not know of one that goes on behind a function's way out (DW_CFA_restore_state): it
 * gives the beginning before that. So a row begins with the address that was asked for. */
static void take_row(struct unwind_object *object, struct unwind_row *row, Dwarf_Frame *frame)
{
    Dwarf_Addr end;
    bool interrupt;
    int number = dwarf_frame_info(frame, NULL, &end, &interrupt);
    if (number != UNWIND_RETURN || row->begin >= end)
        return;
    *row = (struct unwind_row){.begin = row->begin, .end = end, .interrupt = interrupt};
    if (is_start(frame))
        row->kind = UNWIND_START;
    else if (!take_offsets(row, frame))
        take_special(object, row, frame);
}

static bool ask(Dwarf_CFI *cfi, struct unwind_object *object, struct unwind_row *row)
{
    Dwarf_Frame *frame;
    if (!cfi || dwarf_cfi_addrframe(cfi, row->begin, &frame) != 0)
        return false;
    take_row(object, row, frame);
    free(frame);
    return row->kind != UNWIND_NO_ROW;
}

/* Of the file alone: a separate file of debug information is not looked for. */
static Dwarf_CFI *debug_cfi_of(struct unwind_object *object)
{
    if (object->debug_looked || !object->elf)
        return object->debug_cfi;
    object->debug_looked = true;
    object->dwarf = dwarf_begin_elf(object->elf, DWARF_C_READ, NULL);
    if (object->dwarf)
        object->debug_cfi = dwarf_getcfi(object->dwarf);
    return object->debug_cfi;
}

/* ---- rows ---- */

/* The first row that ends behind the address. */
static size_t row_at(const struct unwind_object *object, uint64_t address)
{
    size_t low = 0, high = object->row_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (object->rows[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_same(const struct unwind_row *a, const struct unwind_row *b)
{
    return a->kind == b->kind && a->kind != UNWIND_SPECIAL && a->interrupt == b->interrupt &&
           a->cfa_register == b->cfa_register && a->cfa_offset == b->cfa_offset &&
           memcmp(a->kept, b->kept, sizeof a->kept) == 0;
}

/* The row behind it may be the same one, of which a later address was met before; what is there already stays as it is. */
static const struct unwind_row *add(struct unwind_object *object, size_t at, struct unwind_row row)
{
    struct unwind_row *rows = object->rows;
    if (at < object->row_count && row.end >= rows[at].begin && is_same(&row, &rows[at])) {
        rows[at].begin = row.begin;
        return &rows[at];
    }
    if (at < object->row_count && row.end > rows[at].begin)
        row.end = rows[at].begin;
    VEC_PUSH(object->rows, object->row_count, object->row_capacity) = row;
    rows = object->rows;
    memmove(rows + at + 1, rows + at, (object->row_count - 1 - at) * sizeof *rows);
    rows[at] = row;
    return &rows[at];
}

const struct unwind_row *unwind_object_row(struct unwind_object *object, uint64_t address)
{
    size_t at = row_at(object, address);
    if (at < object->row_count && object->rows[at].begin <= address)
        return &object->rows[at];
    struct unwind_row row = {.begin = address, .end = address + 1};
    if (!ask(object->cfi, object, &row))
        ask(debug_cfi_of(object), object, &row);
    return add(object, at, row);
}
