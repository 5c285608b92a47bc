#include "rewriter/compiler_name.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A name may end in a version, which is not counted: "gcc-12" -> "gcc". */
static size_t plain_length(const char *name)
{
    size_t length = strlen(name);
    size_t end = length;
    while (end > 0 && (isdigit((unsigned char)name[end - 1]) || name[end - 1] == '.'))
        end--;
    return end > 0 && end < length && name[end - 1] == '-' ? end - 1 : length;
}

bool compiler_name_is_driver(const char *path)
{
    static const char *const NAMES[] = {"cc",    "c++",     "gcc", "g++",
                                        "clang", "clang++", "c99", "c89"};
    const char *name = last_part(path);
    size_t length = plain_length(name);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        size_t part = strlen(NAMES[i]);
        if (length >= part && memcmp(name + length - part, NAMES[i], part) == 0 &&
            (length == part || name[length - part - 1] == '-'))
            return true;
    }
    return false;
}

bool compiler_name_is_launcher(const char *path)
{
    static const char *const NAMES[] = {"ccache",    "sccache", "distcc",    "icecc",
                                        "icerun",    "gomacc",  "rewrapper", "buildcache",
                                        "cachepot",  "pump",    "fccache",   "ccache-swig",
                                        "firebuild", "recc",    "cachecc1",  "colorgcc"};
    const char *name = last_part(path);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strcmp(name, NAMES[i]) == 0)
            return true;
    return false;
}

/* The launcher's own options come first: "ccache max_size=1G mycc". */
static int after_launcher(int count, const char *const *words)
{
    int at = 1;
    while (at < count && !compiler_name_is_driver(words[at]) && words[at][0] != '-' &&
           strchr(words[at], '='))
        at++;
    if (at == count)
        return -1;
    bool named = words[at][0] != '-' && !strchr(last_part(words[at]), '.');
    return named || compiler_name_is_driver(words[at]) ? at : 0;
}

static bool has_word(int count, const char *const *words, int from, const char *word)
{
    for (int i = from; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

/* A step of libtool starts the compiler with other flags, which are seen there. */
static bool is_libtool(const char *word)
{
    size_t length = strlen(word);
    return length >= 7 && strcmp(word + length - 7, "libtool") == 0;
}

int compiler_name_find(int count, const char *const *words)
{
    if (count < 2 || strcmp(words[1], "-cc1") == 0)
        return -1;
    if (compiler_name_is_driver(words[0]))
        return 0;
    if (compiler_name_is_launcher(words[0]))
        return after_launcher(count, words);
    for (int i = 1; i < count && !is_libtool(words[i - 1]); i++)
        if (compiler_name_is_driver(words[i]))
            return has_word(count, words, i + 1, "-c") ? i : -1;
    return -1;
}
