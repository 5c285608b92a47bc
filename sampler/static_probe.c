#include "sampler/static_probe.h"

#include <string.h>

#include "base/memory.h"

enum { NOTE_KIND = 3, WORDS = 3 };

/* A text that ends before `end`, and *at behind it; or NULL. */
static const char *text_at(const char **at, const char *end)
{
    const char *text = *at, *zero = text < end ? memchr(text, '\0', (size_t)(end - text)) : NULL;
    *at = zero ? zero + 1 : end;
    return zero ? text : NULL;
}

/* The note has the address where the program was to be linked: `base` is where that section, too, was
 * to be, and may have been moved. */
static bool read_note(struct static_probe *probe, const char *note, size_t size, uint64_t base)
{
    uint64_t words[WORDS];
    const char *at = note + sizeof words, *end = note + size;
    if (size < sizeof words)
        return false;
    memcpy(words, note, sizeof words);
    uint64_t moved = base && words[1] ? base - words[1] : 0;
    *probe = (struct static_probe){.address = words[0] + moved,
                                   .counter = words[2] ? words[2] + moved : 0};
    probe->provider = text_at(&at, end);
    probe->name = text_at(&at, end);
    probe->arguments = text_at(&at, end);
    return probe->provider && probe->name && probe->arguments;
}

static void read_notes(struct static_probes *probes, Elf_Data *data, uint64_t base)
{
    static const char owner[] = "stapsdt";
    GElf_Nhdr header;
    size_t at = 0, name, content;
    for (size_t next; (next = gelf_getnote(data, at, &header, &name, &content)) > 0; at = next) {
        const char *bytes = data->d_buf;
        struct static_probe probe;
        if (header.n_type == NOTE_KIND && header.n_namesz == sizeof owner &&
            memcmp(bytes + name, owner, sizeof owner) == 0 &&
            read_note(&probe, bytes + content, header.n_descsz, base))
            VEC_PUSH(probes->items, probes->count, probes->capacity) = probe;
    }
}

void static_probes_read(struct static_probes *probes, const struct point_object *object)
{
    GElf_Shdr header;
    *probes = (struct static_probes){0};
    if (gelf_getclass(object->elf) != ELFCLASS64)
        return;
    uint64_t base = point_object_section(object, ".stapsdt.base", &header) ? header.sh_addr : 0;
    Elf_Scn *section = point_object_section(object, ".note.stapsdt", &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    if (data)
        read_notes(probes, data, base);
}

void static_probes_release(struct static_probes *probes)
{
    memory_free(probes->items);
    *probes = (struct static_probes){0};
}

bool static_probe_is(const struct static_probe *probe, const char *name)
{
    size_t length = strlen(probe->provider);
    return strncmp(probe->provider, name, length) == 0 && name[length] == ':' &&
           strcmp(probe->name, name + length + 1) == 0;
}
