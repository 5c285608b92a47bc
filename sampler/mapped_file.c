#include "sampler/mapped_file.h"

#include <elfutils/libdwelf.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "base/file.h"
#include "sampler/object_set.h"

#define FOLDER "objects"
/* All copies of a run (chosen). */
#define MOST_BYTES (UINT64_C(512) << 20)

static bool is_used(const struct unwind_object *object)
{
    uint64_t ended = 0;
    for (int i = 0; i < TRACE_CUTS; i++)
        ended += object->ended[i];
    return object->elf && object->file.inode && object->by_rows + object->by_pointers + ended > 0;
}

enum place { PLACE_THERE, PLACE_WRITTEN_OVER, PLACE_ELSEWHERE };

static enum place place_of(const struct unwind_object *object)
{
    struct stat is;
    if (stat(object->path, &is) != 0)
        return PLACE_ELSEWHERE;
    struct file_identity now = file_identity_of(&is);
    if (now.device != object->file.device || now.inode != object->file.inode)
        return PLACE_ELSEWHERE;
    return file_identity_same(&now, &object->file) ? PLACE_THERE : PLACE_WRITTEN_OVER;
}

static bool copy(const struct unwind_object *object, const char *directory, const char *name,
                 uint64_t *room)
{
    size_t bytes = 0;
    const char *data = elf_rawfile(object->elf, &bytes);
    struct str path = {0};
    struct error ignored;
    path_join(&path, directory, FOLDER);
    bool ok =
        data && bytes <= *room && (file_make_folder(path.data) == 0 || file_exists(path.data));
    str_clear(&path);
    path_join(&path, directory, name);
    ok = ok && file_write(path.data, data, bytes, &ignored);
    *room -= ok ? bytes : 0;
    str_release(&path);
    return ok;
}

static void append_build_id(Elf *elf, struct str *text)
{
    const void *id = NULL;
    ssize_t length = dwelf_elf_gnu_build_id(elf, &id);
    for (ssize_t i = 0; i < length; i++)
        str_printf(text, "%02x", ((const unsigned char *)id)[i]);
    str_append(text, length > 0 ? " " : "- ");
}

static void tell(const struct unwind_object *object, size_t number, const char *directory,
                 uint64_t *room, struct str *text)
{
    struct str name = {0};
    str_printf(&name, FOLDER "/%zu-%s", number, path_last_part(object->path));
    bool copied = place_of(object) == PLACE_ELSEWHERE && copy(object, directory, name.data, room);
    str_printf(text, "%" PRIu64 " %" PRIu64 " %" PRIu64 ".%09" PRIu64 " ", object->file.inode,
               object->file.bytes, object->file.written_ns / 1000000000,
               object->file.written_ns % 1000000000);
    append_build_id(object->elf, text);
    str_printf(text, "%s %s\n", copied ? name.data : "-", object->path);
    str_release(&name);
}

void mapped_files_tell(const struct object_set *objects, const char *directory, struct str *text)
{
    uint64_t room = MOST_BYTES;
    for (size_t i = 0; i < objects->count; i++)
        if (is_used(objects->items[i]))
            tell(objects->items[i], i, directory, &room, text);
}
