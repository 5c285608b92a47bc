/* waits_files.h - the page and the JSON of a run's waits, as files beside its result.
 *
 *     struct waits_page page = {.waits = waits, .doubts = &doubts, .origin = {.command = words}};
 *     waits_files_write(&page, "vprofiler-out/003", &error)      waits.html, waits.json
 *
 * Graphviz lays the graph out. Where it is missing, the page says which package has it.
 */
#ifndef DRIVER_RUNS_WAITS_FILES_H
#define DRIVER_RUNS_WAITS_FILES_H

#include "base/error.h"
#include "report/waits/waits_page.h"

/* What the page says of pictures is filled in here. */
bool waits_files_write(struct waits_page page, const char *folder, struct error *error);

#endif
