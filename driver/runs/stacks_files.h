/* stacks_files.h - the page and the JSON of where a run's time went, as files beside its result.
 *
 *     struct stacks_page page = {.stacks = stacks, .doubts = &doubts, .origin = {.command = words}};
 *     stacks_files_write(&page, "vprofiler-out/003", &error)      stacks.html, stacks.json
 */
#ifndef DRIVER_RUNS_STACKS_FILES_H
#define DRIVER_RUNS_STACKS_FILES_H

#include "base/error.h"
#include "report/stacks/stacks_page.h"

bool stacks_files_write(const struct stacks_page *page, const char *folder, struct error *error);

#endif
