#include "driver/runs/result_file.h"

#include "base/file.h"

bool result_file_write(const char *folder, const char *name, const struct str *text,
                       struct error *error)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", folder, name);
    bool ok = file_write(path.data, str_text(text), text->length, error);
    str_release(&path);
    return ok;
}

const char *result_file_text(struct arena *arena, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? arena_strdup(arena, text) : NULL;
}
