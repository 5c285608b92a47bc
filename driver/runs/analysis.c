#include "driver/runs/analysis.h"

#include <unistd.h>

#include "base/file.h"
#include "driver/cli/command_words.h"
#include "driver/cli/talk.h"
#include "driver/runs/run_set.h"
#include "driver/workbench/workdir.h"

static bool copy_functions(const struct run_set *set, const char *path, struct error *error)
{
    struct str text = {0};
    bool ok = file_read(&text, set->functions_path, error) &&
              file_write(path, str_text(&text), text.length, error);
    str_release(&text);
    return ok;
}

static bool write_result(const struct workdir *workdir, struct run_set *set,
                         struct run_set_options options, struct error *error)
{
    struct str functions = {0}, links = {0};
    bool ok = workdir_round(workdir, 1, "functions.json", &functions, error) &&
              workdir_round(workdir, 1, "trace", &links, error);
    options.links = links.data;
    ok = ok && run_set_load(set, &options, error) && copy_functions(set, functions.data, error) &&
         run_set_analyze(set, &options, error) &&
         outcome_write(&set->outcome, workdir->root.data, error) && workdir_finish(workdir, error);
    str_release(&functions);
    str_release(&links);
    return ok;
}

static void talk_result(const struct run_set *set, const char *out)
{
    const struct timelines *run = &set->joined.run;
    talk("%u processes of %u %s", run->process_count, set->files.group_count,
         set->files.group_count == 1 ? "host" : "hosts");
    for (uint32_t i = 0; i < run->damage_count; i++)
        talk("%s", run->damage[i]);
    talk("wrote %s/latest/report.html, report.json, report.txt", out);
}

static bool make_result(const struct analysis_values *values, const char *words,
                        struct error *error)
{
    struct workdir workdir;
    struct run_set set = {0};
    struct error ignored;
    struct run_set_options options = {.paths = values->folders,
                                      .functions = values->functions,
                                      .k = values->k,
                                      .threshold = values->threshold,
                                      .words = words,
                                      .separate = values->separate};
    bool there = file_exists(values->out);
    if (!workdir_create(&workdir, values->out, error))
        return false;
    bool ok = write_result(&workdir, &set, options, error);
    if (ok) {
        outcome_print(&set.outcome, values->json);
        talk_result(&set, values->out);
    } else {
        file_remove_tree(workdir.root.data, &ignored);
        if (!there)
            rmdir(values->out);
    }
    run_set_release(&set);
    workdir_release(&workdir);
    return ok;
}

int analysis_run(const struct analysis_values *values, int argc, char **argv)
{
    struct error error;
    struct str words = {0};
    command_words(&words, argc, argv, false);
    bool ok = make_result(values, words.data, &error);
    if (!ok)
        talk_error(&error);
    str_release(&words);
    return ok ? EXIT_DONE : exit_code_of(&error);
}
