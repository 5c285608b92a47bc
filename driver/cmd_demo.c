#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "driver/command.h"
#include "driver/installation.h"
#include "driver/iterate.h"
#include "driver/mirror.h"
#include "driver/talk.h"

static const char help[] =
    "usage: vprofiler demo [DIR]\n"
    "\n"
    "Copies a small server to DIR (vprofiler-demo) and runs `vprofiler iterate` on it: half a "
    "minute\n"
    "to a report whose answer is known, because the cause was planted (DIR/toy/README.md tells).\n"
    "\n"
    "examples:\n"
    "  vprofiler demo\n"
    "  vprofiler demo /tmp/first-look\n"
    "  cd vprofiler-demo/toy && vprofiler iterate --build build.sh\n";

/* A fresh copy of examples/toy below `folder`, which may be there from an earlier time; `toy` is
 * its absolute path. */
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
    struct str source = {0}, left_out = {0};
    str_printf(&source, "%s/toy", installation_examples());
    path_join(toy, absolute, "toy");
    bool ok = (!file_exists(toy->data) || file_remove_tree(toy->data, error)) &&
              mirror_copy(source.data, "", toy->data, &left_out, error);
    str_release(&source);
    str_release(&left_out);
    return ok;
}

static bool run_demo(const char *folder, struct error *error)
{
    struct str toy = {0}, out = {0}, build = {0};
    bool ok = copy_toy(folder, &toy, error);
    str_printf(&out, "%s/vprofiler-out", folder);
    str_printf(&build, "%s/build.sh", toy.data);
    struct iterate_options options = iterate_defaults();
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

int cmd_demo(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (argc > 2 || (argc == 2 && argv[1][0] == '-'))
        return talk_usage("demo", "at most one folder is wanted.");
    struct error error;
    if (run_demo(argc == 2 ? argv[1] : "vprofiler-demo", &error))
        return EXIT_DONE;
    talk_error(&error);
    return exit_code_of(&error);
}
