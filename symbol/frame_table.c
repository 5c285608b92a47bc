#include "symbol/frame_table.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <string.h>

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

uint64_t frame_table_start(Dwfl_Module *module, uint64_t address)
{
    struct frame_table table;
    GElf_Addr bias = 0;
    Elf *elf = dwfl_module_getelf(module, &bias);
    uint32_t low = 0;
    if (!open_table(&table, elf))
        return 0;
    for (uint32_t high = table.count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (start_of(&table, middle) <= address - bias)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? start_of(&table, low - 1) : 0;
}
