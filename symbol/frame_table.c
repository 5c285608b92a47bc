#include "symbol/frame_table.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <string.h>

#include "base/hash_map.h"

/* Its encodings, as all linkers write them: 4 bytes with a sign, from the header on (DW_EH_PE_datarel |
 * DW_EH_PE_sdata4), and the number of functions as 4 bytes (DW_EH_PE_udata4). */
enum {
    VERSION = 1,
    COUNT_UDATA4 = 0x03,
    TABLE_DATAREL_SDATA4 = 0x3b,
    HEAD_BYTES = 12,
    ROW_BYTES = 8
};

struct frame_table {
    const unsigned char *rows;
    uint64_t at; /* the header's address in the file */
    uint32_t count;
};

static bool take_header(struct frame_table *table, const Elf_Data *data, uint64_t at)
{
    const unsigned char *head = data ? data->d_buf : NULL;
    if (!head || data->d_size < HEAD_BYTES || head[0] != VERSION || head[2] != COUNT_UDATA4 ||
        head[3] != TABLE_DATAREL_SDATA4)
        return false;
    memcpy(&table->count, head + 8, sizeof table->count);
    table->rows = head + HEAD_BYTES;
    table->at = at;
    return table->count <= (data->d_size - HEAD_BYTES) / ROW_BYTES;
}

/* Sections may be stripped; the segment is not. */
static bool open_table(struct frame_table *table, Elf *elf)
{
    size_t count = 0;
    GElf_Phdr segment;
    if (!elf || elf_getphdrnum(elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_GNU_EH_FRAME)
            return take_header(
                table,
                elf_getdata_rawchunk(elf, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_BYTE),
                segment.p_vaddr);
    return false;
}

static uint64_t start_of(const struct frame_table *table, uint32_t row)
{
    int32_t distance;
    memcpy(&distance, table->rows + (size_t)row * ROW_BYTES, sizeof distance);
    return table->at + (uint64_t)(int64_t)distance;
}

/* What the file has from an address of it on, to the end of its segment. NULL: nothing. */
static const unsigned char *bytes_at(Elf *elf, uint64_t address, size_t *size)
{
    size_t count = 0;
    GElf_Phdr segment;
    if (elf_getphdrnum(elf, &count) != 0)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
            address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz)
            continue;
        const Elf_Data *data =
            elf_getdata_rawchunk(elf, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_BYTE);
        uint64_t at = address - segment.p_vaddr;
        *size = data && data->d_size > at ? data->d_size - at : 0;
        return *size ? (const unsigned char *)data->d_buf + at : NULL;
    }
    return NULL;
}

/* An entry: its length, whose it is, and where the function begins (4 bytes each, as all linkers write them that
 * sort the table); then how long it is, and, behind what languages add, the way to unwind. */
static uint64_t shape_of(const unsigned char *entry, size_t size)
{
    enum { LENGTH = 4, RANGE_AT = 12, ADDED_AT = 16 };
    uint32_t length;
    if (!entry || size <= ADDED_AT)
        return 0;
    memcpy(&length, entry, sizeof length);
    if (length > size - LENGTH || LENGTH + length <= ADDED_AT)
        return 0;
    size_t end = LENGTH + length, way = ADDED_AT + 1 + (size_t)entry[ADDED_AT];
    uint64_t shape = hash_bytes(entry + RANGE_AT, ADDED_AT - RANGE_AT);
    if (way < end)
        shape = hash_mix(shape) ^ hash_bytes(entry + way, end - way);
    return shape ? shape : 1;
}

/* In the columns of a row stand how far function and entry are from the header. */
static uint64_t entry_of(const struct frame_table *table, uint32_t row)
{
    int32_t distance;
    memcpy(&distance, table->rows + (size_t)row * ROW_BYTES + sizeof distance, sizeof distance);
    return table->at + (uint64_t)(int64_t)distance;
}

bool frame_table_find(Dwfl_Module *module, uint64_t address, struct frame_table_row *row)
{
    struct frame_table table;
    GElf_Addr bias = 0;
    Elf *elf = dwfl_module_getelf(module, &bias);
    uint32_t low = 0;
    if (!open_table(&table, elf))
        return false;
    for (uint32_t high = table.count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (start_of(&table, middle) <= address - bias)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return false;
    size_t size = 0;
    const unsigned char *entry = bytes_at(elf, entry_of(&table, low - 1), &size);
    *row = (struct frame_table_row){.start = start_of(&table, low - 1),
                                    .shape = shape_of(entry, size)};
    return true;
}
