#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "driver/cli/command_line.h"
#include "driver/cli/talk.h"
#include "driver/loop/iterate.h"
#include "driver/workbench/installation.h"
#include "driver/workbench/mirror.h"
#include "driver/workbench/source_parser.h"

struct demo_values {
    const char *folder;
};

static const struct option_spec arguments[] = {
    ARGUMENT(FOLDER, offsetof(struct demo_values, folder), "DIR",
             "where the server and its results go", .usual = "vprofiler-demo"),
    {0},
};

/* Makes a fresh copy of examples/toy below `folder`, which may be there from an earlier time; `toy`
 * is its absolute path. */
static bool copy_toy(const char *folder, struct str *toy, struct error *error)
{
    if (!installation_examples())
        return error_set(error, ERROR_SYSTEM,
                         "The bundled examples are not where they should be beside this program. "
                         "Install vprofiler again.");
    char absolute[PATH_MAX];
    if (!file_make_directories(folder, error))
        return false;
    if (!realpath(folder, absolute))
        return error_system(error, "Can't find the folder %s", folder);
    struct mirror_left left = {0};
    struct str source = {0};
    str_printf(&source, "%s/toy", installation_examples());
    path_join(toy, absolute, "toy");
    bool ok = (!file_exists(toy->data) || file_remove_tree(toy->data, error)) &&
              mirror_copy(source.data, "", toy->data, &left, error);
    str_release(&source);
    mirror_left_release(&left);
    return ok;
}

static bool run_demo(const char *folder, struct error *error)
{
    struct str toy = {0}, out = {0}, build = {0};
    bool ok = source_parser_is_here(error) && copy_toy(folder, &toy, error);
    str_printf(&out, "%s/vprofiler-out", folder);
    str_printf(&build, "%s/build.sh", toy.data);
    struct iterate_options options;
    command_set_usual(&command_iterate, &options);
    options.source = toy.data;
    options.out = out.data;
    options.build = build.data;
    options.automatic = true;
    options.words = "vprofiler iterate --build build.sh --auto";
    ok = ok && iterate(&options, error);
    str_release(&toy);
    str_release(&out);
    str_release(&build);
    return ok;
}

static int run(int argc, char **argv)
{
    struct demo_values values;
    struct error error;
    int code;
    if (!command_take(&command_demo, argc, argv, &values, &code))
        return code;
    if (run_demo(values.folder, &error))
        return EXIT_DONE;
    talk_error(&error);
    return exit_code_of(&error);
}

const struct command command_demo = {
    .name = "demo",
    .run = run,
    .summary = "iterate on a bundled toy server: a report in half a minute",
    .description =
        "Copies a small server to DIR and runs `vprofiler iterate` on it: half a minute to a "
        "report whose answer is known, because the cause was planted (DIR/toy/README.md tells).\n",
    .arguments = arguments,
    .examples = {{"vprofiler demo", "everything below ./vprofiler-demo"},
                 {"vprofiler demo /tmp/first-look", "everything below /tmp/first-look"},
                 {"cd vprofiler-demo/toy && vprofiler iterate --build build.sh",
                  "the same by hand; asks which factors to open"}},
};
