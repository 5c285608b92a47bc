#include "base/number.h"
#include "driver/cli/command_line.h"
#include "driver/cli/talk.h"
#include "driver/workbench/cleaning.h"

struct clean_values {
    const char *out;
    bool all, only;
};

#define AT(member) offsetof(struct clean_values, member)
static const struct option_spec options[] = {
    OPTION("out", FOLDER, AT(out), "DIR", "vprofiler-out", "where the results are"),
    FLAG("all", AT(all),
         "also the latest result's trace, loops that are not finished, and what the parser keeps"),
    FLAG("dry-run", AT(only), "remove nothing: say what would be"),
    {0},
};

static void tell_left(const char *format, const struct str *names)
{
    if (names->length)
        talk_print(stdout, format, names->data);
}

static void tell(const struct cleaning *cleaning, const char *out)
{
    if (cleaning->bytes || cleaning->count)
        talk_print(stdout, "%s %s: the traces and copies of %u loop%s (%s)%s\n",
                   cleaning->only ? "would remove" : "removed", number_bytes(cleaning->bytes).text,
                   cleaning->count, number_plural(cleaning->count),
                   cleaning->count ? cleaning->cleaned.data : "none",
                   cleaning->count ? "; the reports stay" : "");
    else
        talk_print(stdout, "nothing to remove in %s\n", out);
    if (!cleaning->all && cleaning->newest.length)
        talk_print(stdout,
                   "  %s is the latest: what report, show, compare and export read of it stays. "
                   "--all removes that too\n",
                   cleaning->newest.data);
    tell_left("  %s is not finished: iterate --resume goes on with the newest. --all removes its "
              "trace\n",
              &cleaning->unfinished);
    tell_left("  %s was made with --keep: left alone\n", &cleaning->kept);
    tell_left("  %s is no loop's, but recorded or analysed: left alone\n", &cleaning->others);
    tell_left("  %s is in use: left alone\n", &cleaning->in_use);
}

static int run(int argc, char **argv)
{
    struct clean_values values;
    struct error error;
    int code;
    if (!command_take(&command_clean, argc, argv, &values, &code))
        return code;
    struct cleaning cleaning = {.out = values.out, .all = values.all, .only = values.only};
    bool ok = cleaning_do(&cleaning, &error);
    if (ok)
        tell(&cleaning, values.out);
    else
        talk_error(&error);
    cleaning_release(&cleaning);
    return ok ? EXIT_DONE : exit_code_of(&error);
}

const struct command command_clean = {
    .name = "clean",
    .run = run,
    .summary = "remove what finished loops need no more",
    .description =
        "Removes the traces of `vprofiler iterate`'s results, and copies of the source that "
        "are left, and says how much that was. Reports, logs and loop.json stay; so do the latest "
        "result's trace, recordings, what was made with --keep, and what is in use. What has lost "
        "its trace can be read (report.html), and no longer shown, compared or exported.\n",
    .options = options,
    .examples = {{"vprofiler clean --dry-run", "how much would it be?"},
                 {"vprofiler clean", "all but the latest"},
                 {"vprofiler clean --all --out out", "the latest too, of another folder"}},
};
