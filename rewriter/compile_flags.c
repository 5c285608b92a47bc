#include "rewriter/compile_flags.h"

#include <glob.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "rewriter/openmp.h"

/* The value of these flags may be the next argument. */
static const char *const VALUED[] = {
    "-I",       "-D",        "-U",        "-iquote", "-isystem", "-idirafter",   "-include",
    "-imacros", "-isysroot", "--sysroot", "-x",      "-iprefix", "-iwithprefix", "-stdlib",
};

/* The value of these flags is the next argument, and they are of no use here. */
static const char *const DROPPED_WITH_VALUE[] = {
    "-o", "-MF", "-MT", "-MQ", "-MJ",       "-Xlinker", "-Xassembler", "-Xpreprocessor", "-u", "-T",
    "-z", "-L",  "-l",  "-B",  "-aux-info", "--param",  "-G",          "-dumpbase",      "-A",
};

static const char *const KEPT[] = {
    "-ansi",
    "-pthread",
    "-nostdinc",
    "-nostdinc++",
    "-undef",
    "-funsigned-char",
    "-fsigned-char",
    "-fshort-enums",
    "-fno-short-enums",
    "-fms-extensions",
    "-fno-builtin",
    "-ffreestanding",
    "-fgnu89-inline",
    "-fno-exceptions",
    "-fno-rtti",
    "-fexceptions",
    "-fchar8_t",
    "-fno-char8_t",
    "-fblocks",
    "-fpermissive",
    "-fpic",
    "-fPIC",
    "-fpie",
    "-fPIE",
    "-fshort-wchar",
    "-fno-operator-names",
};

struct flag_list {
    struct arena *arena;
    struct compile_flags flags;
    const struct compiler_defaults *defaults; /* or NULL */
    bool plain;
    bool language; /* an -x was given */
};

static void keep(struct flag_list *list, const char *flag)
{
    list->flags.items[list->flags.count++] = flag;
}

/* -include goes to the inner compiler, which doesn't look for a precompiled header of another
 * compiler beside the file. */
static void keep_valued(struct flag_list *list, const char *flag, const char *value)
{
    bool inner = strcmp(flag, "-include") == 0;
    if (strcmp(flag, "-x") == 0)
        list->language = true;
    if (inner)
        keep(list, "-Xclang");
    keep(list, flag);
    if (inner)
        keep(list, "-Xclang");
    keep(list, value);
}

static const char *newer_standard(const char *flag)
{
    static const char *const NAMES[][2] = {
        {"-std=c23", "-std=c2x"},     {"-std=gnu23", "-std=gnu2x"},
        {"-std=c++23", "-std=c++2b"}, {"-std=gnu++23", "-std=gnu++2b"},
        {"-std=c++26", "-std=c++2b"}, {"-std=gnu++26", "-std=gnu++2b"},
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strcmp(flag, NAMES[i][0]) == 0)
            return NAMES[i][1];
    return flag;
}

/* The compiler hands the parts of -Wp,-DX,-UY to its preprocessor. */
static void keep_preprocessor(struct flag_list *list, const char *parts)
{
    while (*parts) {
        size_t length = strcspn(parts, ",");
        if (length > 2 && parts[0] == '-' && strchr("DUI", parts[1]))
            keep(list, arena_strndup(list->arena, parts, length));
        parts += length + (parts[length] == ',');
    }
}

/* The parser's tree has no bodies of regions where it heeds the directives, so it is not told to.
 * The header is the compiler's own, which may be another one than the parser's. */
static void keep_openmp(struct flag_list *list)
{
    glob_t headers;
    keep(list, "-D_OPENMP=201511");
    if (glob("/usr/lib/gcc/*/*/include/omp.h", 0, NULL, &headers) != 0)
        return;
    const char *last = headers.gl_pathv[headers.gl_pathc - 1];
    size_t length = strlen(last) - strlen("/omp.h");
    keep(list, "-idirafter");
    keep(list, arena_strndup(list->arena, last, length));
    globfree(&headers);
}

/* The compiler's answer holds some flags already. */
static bool is_answered(const struct flag_list *list, const char *flag)
{
    const struct compiler_defaults *defaults = list->defaults;
    if (!defaults)
        return false;
    bool standard = str_starts_with(flag, "-std=") || strcmp(flag, "-ansi") == 0;
    return (standard && defaults->standard) || (str_starts_with(flag, "-m") && defaults->machine);
}

static void keep_joined(struct flag_list *list, const char *flag)
{
    static const char *const ALWAYS[] = {
        "-I",         "-D",         "-U",        "-O",       "-iquote", "-isystem",
        "-idirafter", "--sysroot=", "-isysroot", "-stdlib=", "-x"};
    if (STR_BEGINS_WITH_ONE_OF(flag, ALWAYS)) {
        list->language = list->language || str_starts_with(flag, "-x");
        keep(list, flag);
        return;
    }
    if (is_answered(list, flag))
        return;
    if (openmp_is_flag(flag))
        keep_openmp(list);
    else if (str_starts_with(flag, "-Wp,"))
        keep_preprocessor(list, flag + 4);
    else if (!list->plain && str_starts_with(flag, "-std="))
        keep(list, newer_standard(flag));
    else if (!list->plain && (str_starts_with(flag, "-march=") || strcmp(flag, "-m32") == 0 ||
                              str_starts_with(flag, "-msse") || str_starts_with(flag, "-mavx")))
        keep(list, flag);
    else if (!list->plain && STR_IS_ONE_OF(flag, KEPT))
        keep(list, flag);
}

bool compile_flags_takes_value(const char *flag)
{
    return STR_IS_ONE_OF(flag, VALUED) || STR_IS_ONE_OF(flag, DROPPED_WITH_VALUE);
}

/* g++ compiles a file named .c as C++. */
static bool compiled_as_cplusplus(const struct compile_command *command)
{
    if (command->argument_count == 0)
        return false;
    return strstr(path_last_part(command->arguments[0]), "++") != NULL &&
           (str_ends_with(command->file, ".c") || str_ends_with(command->file, ".h") ||
            str_ends_with(command->file, ".i"));
}

const char *compile_flags_language(const struct compile_command *command)
{
    static const char *const C[] = {".c", ".i", ".h"};
    const char *language = NULL;
    for (uint32_t i = 1; i < command->argument_count; i++) {
        const char *flag = command->arguments[i];
        if (strcmp(flag, "-x") == 0 && i + 1 < command->argument_count)
            language = command->arguments[++i];
        else if (str_starts_with(flag, "-x") && flag[2])
            language = flag + 2;
    }
    if (language && strcmp(language, "none") != 0)
        return strncmp(language, "c++", 3) == 0 ? "c++" : "c";
    for (size_t i = 0; i < sizeof C / sizeof C[0]; i++)
        if (str_ends_with(command->file, C[i]))
            return compiled_as_cplusplus(command) ? "c++" : "c";
    return "c++";
}

static void keep_all(struct flag_list *list, const char *const *flags, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        keep(list, flags[i]);
}

struct compile_flags compile_flags_for_parser(struct arena *arena,
                                              const struct compile_command *command, bool plain)
{
    const struct compiler_defaults *defaults = plain ? NULL : command->defaults;
    struct flag_list list = {.arena = arena, .plain = plain, .defaults = defaults};
    size_t room = 16 + (defaults ? defaults->first_count + defaults->last_count : 0);
    for (uint32_t i = 0; i < command->argument_count; i++)
        room += 4 + strlen(command->arguments[i]) / 3;
    list.flags.items = ARENA_ARRAY(arena, const char *, room);
    keep(&list, arena_printf(arena, "-working-directory=%s", command->directory));
    if (defaults)
        keep_all(&list, defaults->first, defaults->first_count);
    for (uint32_t i = 1; i < command->argument_count; i++) {
        const char *flag = command->arguments[i];
        bool more = i + 1 < command->argument_count;
        if (more && STR_IS_ONE_OF(flag, VALUED))
            keep_valued(&list, flag, command->arguments[++i]);
        else if (more && STR_IS_ONE_OF(flag, DROPPED_WITH_VALUE))
            i++;
        else if (flag[0] == '-')
            keep_joined(&list, flag);
    }
    if (!list.language && compiled_as_cplusplus(command))
        keep_valued(&list, "-x", "c++");
    if (defaults)
        keep_all(&list, defaults->last, defaults->last_count);
    static const char *const LAST[] = {"-w",
                                       "-ferror-limit=0",
                                       "-Wno-error=implicit-function-declaration",
                                       "-Wno-error=implicit-int",
                                       "-Wno-error=int-conversion",
                                       "-Wno-error=incompatible-function-pointer-types"};
    for (size_t i = 0; i < sizeof LAST / sizeof LAST[0]; i++)
        keep(&list, LAST[i]);
    return list.flags;
}
