#include "sampler/frame_range.h"

#include <string.h>

/* The form: version 1; a pointer relative to where it stands, of 4 bytes; a count of 4 bytes; a table of
 * pairs of 4 bytes, relative to the header. */
static const unsigned char usual[4] = {1, 0x1b, 0x03, 0x3b};
enum { HEADER_BYTES = 12, ENTRY_BYTES = 8 };

struct header {
    uint64_t address;
    const unsigned char *table;
    uint32_t count;
};

static int32_t number_at(const unsigned char *bytes)
{
    int32_t number;
    memcpy(&number, bytes, sizeof number);
    return number;
}

static bool header_of(const struct point_object *object, struct header *header)
{
    GElf_Phdr segment;
    size_t count = 0;
    if (elf_getphdrnum(object->elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(object->elf, (int)i, &segment) || segment.p_type != PT_GNU_EH_FRAME ||
            segment.p_memsz < HEADER_BYTES)
            continue;
        const unsigned char *bytes =
            point_object_bytes(object, segment.p_vaddr, (size_t)segment.p_memsz);
        if (!bytes || memcmp(bytes, usual, sizeof usual) != 0)
            return false;
        *header =
            (struct header){segment.p_vaddr, bytes + HEADER_BYTES, (uint32_t)number_at(bytes + 8)};
        return header->count <= (segment.p_memsz - HEADER_BYTES) / ENTRY_BYTES;
    }
    return false;
}

static uint64_t begin_of(const struct header *header, uint32_t entry)
{
    return header->address + (uint64_t)(int64_t)number_at(header->table + entry * ENTRY_BYTES);
}

/* The last entry that begins at the address or before; or `count`. */
static uint32_t entry_of(const struct header *header, uint64_t address)
{
    uint32_t low = 0, high = header->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (begin_of(header, middle) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : header->count;
}

/* Its description: length, its CIE, begin, size, of 4 bytes each; the begin, relative to where it stands,
 * must be the table's, or it has another form. */
static bool read_description(const struct point_object *object, const struct header *header,
                             uint32_t entry, struct object_function *part)
{
    const unsigned char *pair = header->table + entry * ENTRY_BYTES;
    uint64_t at = header->address + (uint64_t)(int64_t)number_at(pair + 4);
    const unsigned char *bytes = point_object_bytes(object, at, 16);
    if (!bytes || number_at(bytes) == -1)
        return false;
    *part = (struct object_function){"", begin_of(header, entry), (uint32_t)number_at(bytes + 12)};
    return at + 8 + (uint64_t)(int64_t)number_at(bytes + 8) == part->address;
}

bool frame_range_of(const struct point_object *object, uint64_t address,
                    struct object_function *part)
{
    struct header header;
    if (!header_of(object, &header))
        return false;
    uint32_t entry = entry_of(&header, address);
    return entry < header.count && read_description(object, &header, entry, part) &&
           address - part->address < part->size;
}
