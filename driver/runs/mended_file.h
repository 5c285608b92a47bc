/* mended_file.h - what it would bring if a result's factors were faster: what experiments said, beside its report.
 *
 *     mended_file_write("vprofiler-out/003", mendings, count, &error)        mended.json
 *     mendings = mended_file_read(&arena, "vprofiler-out/003", &count);
 */
#ifndef DRIVER_RUNS_MENDED_FILE_H
#define DRIVER_RUNS_MENDED_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "report/kit/report.h"

bool mended_file_write(const char *result, const struct report_mending *mendings, uint32_t count,
                       struct error *error);
/* In the arena. NULL and 0: there is none, or it can't be read. */
const struct report_mending *mended_file_read(struct arena *arena, const char *result,
                                              uint32_t *count);

#endif
