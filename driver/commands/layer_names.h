/* layer_names.h - whose calls are told of stacks, as a command line names them.
 *
 *     LAYER_OPTION(AT(layers))                           --layer program --layer library
 *     layer_names_take(values.layers, &options.layers, &error)
 */
#ifndef DRIVER_COMMANDS_LAYER_NAMES_H
#define DRIVER_COMMANDS_LAYER_NAMES_H

#include "base/error.h"
#include "driver/cli/option.h"

#define LAYER_OPTION(at)                                                                           \
    OPTION("layer", TEXT, at, "LAYER", NULL,                                                       \
           "of stacks: program, library or kernel: only calls of this layer are told, and the "    \
           "time of others is that of who called them",                                            \
           .repeatable = true)

/* Those that are named, or all (NULL): as of stacks/context_fold.h. */
bool layer_names_take(const char *const *names, unsigned *layers, struct error *error);

#endif
