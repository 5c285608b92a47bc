#include "driver/commands/layer_names.h"

#include <string.h>

#include "report/stacks/stacks_report.h"

bool layer_names_take(const char *const *names, unsigned *layers, struct error *error)
{
    *layers = names ? 0 : CONTEXT_ALL_LAYERS;
    for (; names && *names; names++) {
        int kind = FRAME_KERNEL;
        while (kind < FRAME_NONE && strcmp(*names, stacks_layer_name((enum frame_kind)kind)) != 0)
            kind++;
        if (kind == FRAME_NONE)
            return error_set(error, ERROR_USAGE,
                             "--layer wants program, library or kernel, not '%s'.", *names);
        *layers |= 1u << kind;
    }
    return true;
}
