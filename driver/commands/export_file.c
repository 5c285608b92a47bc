#include "driver/commands/export_file.h"

#include "base/file.h"

bool export_file_close(FILE *out, const char *path, struct error *error)
{
    bool ok = fflush(out) == 0 && !ferror(out);
    if (!ok)
        error_system(error, "Can't write %s", path ? path : "to stdout");
    if (path && fclose(out) != 0 && ok)
        ok = error_system(error, "Can't write %s", path);
    return ok;
}

FILE *export_file_open(const char *path, struct error *error)
{
    int fd = path ? file_create(path) : -1;
    FILE *out = path ? (fd >= 0 ? fdopen(fd, "w") : NULL) : stdout;
    if (!out)
        error_system(error, "Can't write %s", path);
    return out;
}

bool export_file_write(const struct str *text, const char *path, struct error *error)
{
    FILE *out = export_file_open(path, error);
    if (out)
        fwrite(str_text(text), 1, text->length, out);
    return out && export_file_close(out, path, error);
}

void export_file_table_path(const struct table_kind *kind, const struct table_format *format,
                            const char *folder, struct str *path)
{
    str_printf(path, "%s/%s.%s", folder, kind->name, format->suffix);
}

bool export_file_table(const struct family_table *made, const void *result,
                       const struct table_format *format, const char *folder, struct error *error)
{
    struct str path = {0};
    export_file_table_path(made->kind, format, folder, &path);
    FILE *out = export_file_open(path.data, error);
    if (out) {
        struct table *table = table_open(made->kind, format, out);
        made->fill(result, table);
        table_close(table);
    }
    bool ok = out && export_file_close(out, path.data, error);
    str_release(&path);
    return ok;
}
