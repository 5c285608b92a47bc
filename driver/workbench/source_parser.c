#include "driver/workbench/source_parser.h"

#include <dlfcn.h>
#include <string.h>

#include "driver/workbench/installation.h"

bool source_parser_is_here(struct error *error)
{
    if (installation_parser())
        return true;
    if (!installation_runtime())
        return error_set(error, ERROR_SYSTEM,
                         "libvprof_clang.so and libvprof.so are not where they should be beside "
                         "this program. Install vprofiler again, or build it with `make`.");
    return error_set(error, ERROR_SYSTEM,
                     "This installation only records and looks (vprofiler-record): the part that "
                     "reads source, libvprof_clang.so, is not here. Install vprofiler.");
}

const struct parser *source_parser_load(struct error *error)
{
    if (!source_parser_is_here(error))
        return NULL;
    const char *path = installation_parser();
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct parser *parser = module ? dlsym(module, "parser_clang") : NULL;
    if (parser && strcmp(parser->code, parser_code()) == 0)
        return parser;
    if (parser)
        error_set(error, ERROR_SYSTEM,
                  "%s is of another build than this program. Install both again.", path);
    else
        error_set(error, ERROR_SYSTEM,
                  "The part that reads source can't be loaded: %s. Install vprofiler again, with "
                  "the libclang that it needs.",
                  dlerror());
    return NULL;
}
