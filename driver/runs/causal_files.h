/* causal_files.h - what experiments found, as files beside their result.
 *
 *     struct causal_page page = {.causal = causal, .doubts = &doubts, .origin = {.command = words}};
 *     causal_files_write(page, &table, "vprofiler-out/003", &error)      causal.html, causal.json, profile.coz
 */
#ifndef DRIVER_RUNS_CAUSAL_FILES_H
#define DRIVER_RUNS_CAUSAL_FILES_H

#include "base/error.h"
#include "report/causal/causal_page.h"
#include "trace/function_table.h"

#define CAUSAL_FILES "causal.html, causal.json, profile.coz"

/* The page's places are filled in here, from the table; NULL: where functions stand is not known. */
bool causal_files_write(struct causal_page page, const struct function_table *table,
                        const char *folder, struct error *error);

#endif
