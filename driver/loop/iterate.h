/* iterate.h - the main job: rewrite, build, run, analyse, and go one level deeper.
 *
 *     struct iterate_options options;
 *     command_set_usual(&command_iterate, &options);
 *     options.build = "build.sh";
 *     if (!iterate(&options, &error)) ...
 *
 * Reads the user's source tree and writes below options.out only. On success report.json, .txt and
 * .html lie in <out>/latest and the report was printed on stdout.
 */
#ifndef DRIVER_LOOP_ITERATE_H
#define DRIVER_LOOP_ITERATE_H

#include "base/error.h"
#include "driver/loop/iterate_options.h"

bool iterate(const struct iterate_options *options, struct error *error);

#endif
