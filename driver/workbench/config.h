/* config.h - vprofiler.json: what the user declares about the program.
 *
 *     struct config config;
 *     if (!config_read(&config, "vprofiler.json", &error)) ...
 *     rewriter options: &config.declarations
 *     config_release(&config);
 *
 * The form is described in rewriter/declare.h and docs/config.md. Every key that is not known, and
 * every value of a wrong type, is an error that names its place. Owns its strings.
 */
#ifndef DRIVER_WORKBENCH_CONFIG_H
#define DRIVER_WORKBENCH_CONFIG_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "rewriter/declare.h"

struct config {
    struct arena arena;
    struct declarations declarations;
};

bool config_read(struct config *config, const char *path, struct error *error);
void config_release(struct config *config);

#endif
