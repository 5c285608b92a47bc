/* export_file.h - where `vprofiler export` writes: a file, or stdout where there is no path. */
#ifndef DRIVER_COMMANDS_EXPORT_FILE_H
#define DRIVER_COMMANDS_EXPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/str.h"
#include "driver/family.h"

FILE *export_file_open(const char *path, struct error *error);
bool export_file_close(FILE *out, const char *path, struct error *error);
bool export_file_write(const struct str *text, const char *path, struct error *error);
/* A table of a family's result, as "<folder>/<table>.<suffix>". */
bool export_file_table(const struct family_table *made, const void *result,
                       const struct table_format *format, const char *folder, struct error *error);
/* "<folder>/<table>.csv". */
void export_file_table_path(const struct table_kind *kind, const struct table_format *format,
                            const char *folder, struct str *path);

#endif
