#include "rewriter/compiler_defaults.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"
#include "rewriter/compile_flags.h"

extern char **environ;

enum { ANSWER_MOST_S = 20 };

struct flag_list {
    struct arena *arena;
    const char **items;
    uint32_t count, capacity;
};

static void add(struct flag_list *list, const char *flag)
{
    VEC_PUSH(list->items, list->count, list->capacity) = flag;
}

/* The answer: macros ------------------------------------------------------------------------------
 */

/* Some macros tell which compiler it is and what it can do: the parser is not that compiler, and
 * its own headers go by them. Numbers and types come with the target. */
static bool is_compilers_own(const char *name)
{
    static const char *const BEGINS[] = {
        "__GNU",           "__clang",      "__llvm",        "__VERSION__", "__STDC",
        "__STRICT_ANSI__", "__cplusplus",  "__cpp_",        "__has_",      "__SIZEOF_",
        "__FLT",           "__DBL",        "__LDBL",        "__DEC",       "__BFLT",
        "__GCC_",          "__ATOMIC_",    "__INT",         "__UINT",      "__SIG_",
        "__PTRDIFF_",      "__SIZE_",      "__WCHAR_",      "__WINT_",     "__CHAR",
        "__SHRT_",         "__LONG_",      "__SCHAR_",      "__BIGGEST_",  "__ORDER_",
        "__BYTE_ORDER",    "__FLOAT_",     "__GXX_",        "__REGISTER_", "__USER_LABEL",
        "__OBJC",          "__DEPRECATED", "__EXCEPTIONS",  "__SSE",       "__AVX",
        "__MMX",           "__SEG_",       "__BOOL_WIDTH_", "__OPENCL_",   "__POINTER_",
        "__BITINT_",       "__INTEL_",     "__EDG",         "__HAVE_",     "__nvidia",
        "__INCLUDE_",      "__NO_MATH_",   "_OPENMP",       "__FXSR__",    "__APPLE",
        "__LAHF",          "__CONSTANT_",  "__code_model_", "__tune_",     "__CLANG_",
    };
    return STR_BEGINS_WITH_ONE_OF(name, BEGINS);
}

struct machine_flag {
    const char *macro, *flag;
};

static const struct machine_flag MACHINE[] = {
    {"__SSE3__", "-msse3"},
    {"__SSSE3__", "-mssse3"},
    {"__SSE4_1__", "-msse4.1"},
    {"__SSE4_2__", "-msse4.2"},
    {"__AVX__", "-mavx"},
    {"__AVX2__", "-mavx2"},
    {"__FMA__", "-mfma"},
    {"__F16C__", "-mf16c"},
    {"__BMI__", "-mbmi"},
    {"__BMI2__", "-mbmi2"},
    {"__LZCNT__", "-mlzcnt"},
    {"__POPCNT__", "-mpopcnt"},
    {"__AES__", "-maes"},
    {"__PCLMUL__", "-mpclmul"},
    {"__SHA__", "-msha"},
    {"__MOVBE__", "-mmovbe"},
    {"__RDRND__", "-mrdrnd"},
    {"__RDSEED__", "-mrdseed"},
    {"__ADX__", "-madx"},
    {"__XSAVE__", "-mxsave"},
    {"__AVX512F__", "-mavx512f"},
    {"__AVX512BW__", "-mavx512bw"},
    {"__AVX512CD__", "-mavx512cd"},
    {"__AVX512DQ__", "-mavx512dq"},
    {"__AVX512VL__", "-mavx512vl"},
    {"__AVX512VNNI__", "-mavx512vnni"},
    {"__AVX512VBMI__", "-mavx512vbmi"},
    {"__VAES__", "-mvaes"},
    {"__GFNI__", "-mgfni"},
    {"__VPCLMULQDQ__", "-mvpclmulqdq"},
    {"__CRC32__", "-mcrc32"},
};

static const char *machine_flag(const char *name)
{
    for (size_t i = 0; i < sizeof MACHINE / sizeof MACHINE[0]; i++)
        if (strcmp(name, MACHINE[i].macro) == 0)
            return MACHINE[i].flag;
    return NULL;
}

/* The macros say some things that are flags to the parser. */
struct told {
    long c, cplusplus;
    bool strict, i386, x86_64, ilp32, any;
};

static void note_macro(struct told *told, const char *name, const char *body)
{
    told->any = true;
    if (strcmp(name, "__STDC_VERSION__") == 0)
        told->c = atol(body);
    else if (strcmp(name, "__cplusplus") == 0)
        told->cplusplus = atol(body);
    told->strict = told->strict || strcmp(name, "__STRICT_ANSI__") == 0;
    told->i386 = told->i386 || strcmp(name, "__i386__") == 0;
    told->x86_64 = told->x86_64 || strcmp(name, "__x86_64__") == 0;
    told->ilp32 = told->ilp32 || strcmp(name, "__ILP32__") == 0;
}

/* A line "#define NAME(parameters) body" becomes a -D; false at the end of the text. */
static bool take_macro(struct flag_list *flags, struct told *told, const char **at)
{
    static const char DEFINE[] = "#define ";
    const char *line = *at, *end = strchrnul(line, '\n');
    *at = *end ? end + 1 : end;
    if (!str_starts_with(line, DEFINE))
        return *line != '\0';
    const char *begin = line + strlen(DEFINE);
    size_t length = 0, size = (size_t)(end - begin);
    while (length < size && (isalnum((unsigned char)begin[length]) || begin[length] == '_'))
        length++;
    char *name = arena_strndup(flags->arena, begin, length);
    size_t head = length;
    while (begin[length] == '(' && head < size && begin[head++] != ')')
        ;
    size_t body = head + (head < size && begin[head] == ' ');
    const char *text = arena_strndup(flags->arena, begin + body, size - body);
    note_macro(told, name, text);
    if (machine_flag(name))
        add(flags, machine_flag(name));
    else if (!is_compilers_own(name))
        add(flags, arena_printf(flags->arena, "-D%.*s=%s", (int)head, begin, text));
    return true;
}

/* The parser gets the newest of its language versions that is not newer than the compiler's. */
static const char *standard_flag(struct arena *arena, const struct told *told)
{
    static const struct {
        long version;
        const char *name;
    } C[] = {{202000, "2x"}, {201710, "17"}, {201112, "11"}, {199901, "99"}, {0, "89"}},
      CPLUSPLUS[] = {{202003, "++2b"}, {201704, "++20"}, {201703, "++17"},
                     {201402, "++14"}, {201103, "++11"}, {0, "++98"}};
    const char *name = NULL;
    for (size_t i = 0; told->cplusplus && !name; i++)
        name = told->cplusplus >= CPLUSPLUS[i].version ? CPLUSPLUS[i].name : NULL;
    for (size_t i = 0; !name; i++)
        name = told->c >= C[i].version ? C[i].name : NULL;
    return arena_printf(arena, "-std=%s%s", told->strict ? "c" : "gnu", name);
}

/* The answer: folders -----------------------------------------------------------------------------
 */

/* The compiler's own headers are replaced by the parser's: their folder is left out. */
static bool is_own_folder(const char *folder)
{
    bool inner = strstr(folder, "/gcc/") || strstr(folder, "/gcc-cross/") ||
                 strstr(folder, "/clang/") || strstr(folder, "/icc/");
    return inner && (str_ends_with(folder, "/include") || str_ends_with(folder, "/include-fixed"));
}

/* The answer is what follows `begin` on the first line that begins so, or NULL. */
static const char *line_of(const char *text, const char *begin)
{
    for (const char *at = text; at && *at; at = strchr(at, '\n'), at += at != NULL)
        if (str_starts_with(at, begin))
            return at + strlen(begin);
    return NULL;
}

/* Folders before the compiler's own come before the parser's own, the others after. */
static void take_folders(struct flag_list *first, struct flag_list *last, const char *told)
{
    const char *at = line_of(told, "#include <...> search starts here:\n");
    bool own = false;
    uint32_t before = first->count;
    for (const char *end; at && *at == ' '; at = *end ? end + 1 : end) {
        end = strchrnul(at, '\n');
        const char *folder = arena_strndup(first->arena, at + 1, (size_t)(end - at) - 1);
        bool is_own = is_own_folder(folder);
        own = own || is_own;
        if (is_own)
            continue;
        add(own ? first : last, own ? "-idirafter" : "-isystem");
        add(own ? first : last, folder);
    }
    if (first->count > before || last->count) {
        add(first, "-nostdlibinc");
        add(first, "-nostdinc++");
    }
}

static void take_target(struct flag_list *flags, const char *told, const struct told *macros)
{
    const char *at = line_of(told, "Target: ");
    if (at)
        add(flags, arena_printf(flags->arena, "--target=%.*s", (int)strcspn(at, " \r\n"), at));
    if (macros->i386)
        add(flags, "-m32");
    else if (macros->x86_64)
        add(flags, macros->ilp32 ? "-mx32" : "-m64");
}

static const char **keep(struct flag_list *list)
{
    const char **kept = ARENA_ARRAY(list->arena, const char *, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++)
        kept[i] = list->items[i];
    memory_free(list->items);
    return kept;
}

struct compiler_defaults *compiler_defaults_read(struct arena *arena, const char *macros,
                                                 const char *told)
{
    struct flag_list first = {.arena = arena}, last = {.arena = arena};
    struct told by_macros = {0};
    while (take_macro(&first, &by_macros, &macros))
        ;
    struct compiler_defaults *defaults = ARENA_NEW(arena, struct compiler_defaults);
    *defaults = (struct compiler_defaults){.standard = true, .machine = by_macros.x86_64};
    add(&first, standard_flag(arena, &by_macros));
    take_target(&first, told, &by_macros);
    take_folders(&first, &last, told);
    defaults->first_count = first.count;
    defaults->last_count = last.count;
    defaults->first = keep(&first);
    defaults->last = keep(&last);
    return by_macros.any ? defaults : NULL;
}

/* The question ------------------------------------------------------------------------------------
 */

/* Some flags neither change what is predefined nor where headers are, or write files. */
static bool makes_no_difference(const char *flag)
{
    static const char *const BEGINS[] = {"-W",
                                         "-g",
                                         "-l",
                                         "-L",
                                         "-M",
                                         "-D",
                                         "-U",
                                         "-I",
                                         "-o",
                                         "-fplugin",
                                         "-fdump",
                                         "-fprofile",
                                         "-ftest-coverage",
                                         "-save-temps",
                                         "--coverage",
                                         "-dump",
                                         "-fdiagnostics",
                                         "-fcolor",
                                         "-x",
                                         "-Q",
                                         "-fmodule",
                                         "-ferror-limit",
                                         "-fmax-errors"};
    static const char *const WHOLE[] = {"-c",      "-S",      "-E",        "-v",
                                        "-s",      "-pipe",   "-P",        "-C",
                                        "-shared", "-static", "-rdynamic", "-fsyntax-only",
                                        "-###",    "-H",      "-pie"};
    return STR_BEGINS_WITH_ONE_OF(flag, BEGINS) || STR_IS_ONE_OF(flag, WHOLE);
}

static void add_flags(struct flag_list *list, const struct compile_command *command)
{
    static const char *const WITH_VALUE[] = {"-isysroot", "--sysroot", "-B",
                                             "-target",   "-arch",     "--param",
                                             "-specs",    "-Xclang",   "-imultilib"};
    for (uint32_t i = 1; i < command->argument_count; i++) {
        const char *flag = command->arguments[i];
        bool more = i + 1 < command->argument_count;
        if (more && STR_IS_ONE_OF(flag, WITH_VALUE)) {
            add(list, flag);
            add(list, command->arguments[++i]);
        } else if (more && compile_flags_takes_value(flag)) {
            i++;
        } else if (flag[0] == '-' && flag[1] && !makes_no_difference(flag)) {
            add(list, flag);
        }
    }
}

static struct flag_list make_question(struct arena *arena, const struct compile_command *command)
{
    struct flag_list list = {.arena = arena};
    add(&list, command->arguments[0]);
    add_flags(&list, command);
    static const char *const LAST[] = {"-E", "-dM", "-v", "-x"};
    for (size_t i = 0; i < sizeof LAST / sizeof LAST[0]; i++)
        add(&list, LAST[i]);
    add(&list, compile_flags_language(command));
    add(&list, "/dev/null");
    add(&list, NULL);
    return list;
}

/* The compiler may not end, or not well: then this is false. */
static bool wait_for(pid_t child)
{
    struct timespec step = {0, 1000 * 1000};
    int status = 0;
    for (int i = 0; i < ANSWER_MOST_S * 1000; i++) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (ended < 0)
            return false;
        nanosleep(&step, NULL);
    }
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    return false;
}

/* The compiler's messages are not translated in this environment. */
static char **environment_for(struct arena *arena)
{
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **copy = ARENA_ARRAY(arena, char *, count + 2);
    for (size_t i = 0; i < count; i++)
        if (!str_starts_with(environ[i], "LC_ALL=") && !str_starts_with(environ[i], "LANGUAGE="))
            copy[kept++] = environ[i];
    copy[kept++] = arena_strdup(arena, "LC_ALL=C");
    copy[kept] = NULL;
    return copy;
}

static bool execute(const struct flag_list *question, const char *folder, int macros, int told)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, macros, 1);
    posix_spawn_file_actions_adddup2(&actions, told, 2);
    if (access(folder, X_OK) == 0)
        posix_spawn_file_actions_addchdir_np(&actions, folder);
    pid_t child;
    bool ok = posix_spawnp(&child, question->items[0], &actions, &attributes,
                           (char *const *)question->items, environment_for(question->arena)) == 0;
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return ok && wait_for(child);
}

static const char *text_of(struct arena *arena, int fd)
{
    struct str text = {0};
    char part[4096];
    ssize_t got = 0;
    lseek(fd, 0, SEEK_SET);
    while ((got = read(fd, part, sizeof part)) > 0)
        str_append_bytes(&text, part, (size_t)got);
    const char *kept = arena_strdup(arena, str_text(&text));
    str_release(&text);
    return kept;
}

static struct compiler_defaults *ask(struct arena *arena, const struct flag_list *question,
                                     const char *folder)
{
    int macros = memfd_create("macros", MFD_CLOEXEC), told = memfd_create("told", MFD_CLOEXEC);
    struct compiler_defaults *defaults = NULL;
    struct arena texts = {0};
    if (macros >= 0 && told >= 0 && execute(question, folder, macros, told))
        defaults = compiler_defaults_read(arena, text_of(&texts, macros), text_of(&texts, told));
    arena_release(&texts);
    if (macros >= 0)
        close(macros);
    if (told >= 0)
        close(told);
    return defaults;
}

/* All commands ------------------------------------------------------------------------------------
 */

/* A path that is not absolute means something else in another folder. */
static bool goes_by_folder(const struct flag_list *question)
{
    for (uint32_t i = 0; i + 1 < question->count; i++) {
        const char *text = question->items[i], *slash = strchr(text, '/');
        if (slash && slash != text && slash[-1] != '=' && !str_starts_with(text, "-B/"))
            return true;
    }
    return false;
}

static uint64_t key_of(const struct flag_list *question, const char *folder)
{
    struct str key = {0};
    for (uint32_t i = 0; i + 1 < question->count; i++)
        str_append_bytes(&key, question->items[i], strlen(question->items[i]) + 1);
    if (goes_by_folder(question))
        str_append(&key, folder);
    uint64_t hash = hash_bytes(key.data, key.length);
    str_release(&key);
    return hash;
}

void compiler_defaults_find(struct compile_db *db)
{
    struct hash_map known = {0};
    struct compiler_defaults **all = memory_zeroed((db->count + 1) * sizeof(void *));
    uint32_t count = 0;
    for (uint32_t i = 0; i < db->count; i++) {
        struct compile_command *command = &db->commands[i];
        if (command->argument_count == 0)
            continue;
        struct arena arena = {0};
        struct flag_list question = make_question(&arena, command);
        uint64_t *at = hash_map_put(&known, key_of(&question, command->directory));
        if (*at == 0) {
            all[count++] = ask(&db->arena, &question, command->directory);
            *at = count;
        }
        command->defaults = all[*at - 1];
        memory_free(question.items);
        arena_release(&arena);
    }
    memory_free(all);
    hash_map_release(&known);
}
