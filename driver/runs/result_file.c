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
