#include "sampler/point_name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/similar.h"
#include "sampler/frame_range.h"
#include "symbol/readable_name.h"

/* So many of several functions of one name are listed. */
enum { MOST_LISTED = 6 };

/* The C++ runtime's (Itanium C++ ABI, 3.4); what it gives is freed by the caller. */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *length, int *status);

/* ---- what a name stands for ---- */

typedef bool name_test(const char *symbol, const char *name);

/* Parts that a compiler has split off a function begin in its midst. */
static bool is_split_off(const char *symbol)
{
    return strstr(symbol, ".cold") || strstr(symbol, ".part.");
}

static bool is_linkers(const char *symbol, const char *name)
{
    return strcmp(symbol, name) == 0;
}

static bool is_readable(const char *symbol, const char *name)
{
    struct str readable = {0};
    if (strncmp(symbol, "_Z", 2) != 0 || is_split_off(symbol))
        return false;
    readable_name(symbol, &readable);
    bool is = strcmp(str_text(&readable), name) == 0;
    str_release(&readable);
    return is;
}

static bool is_with_parameters(const char *symbol, const char *name)
{
    if (strncmp(symbol, "_Z", 2) != 0 || is_split_off(symbol))
        return false;
    char *whole = __cxa_demangle(symbol, NULL, NULL, NULL);
    bool is = whole && strcmp(whole, name) == 0;
    free(whole);
    return is;
}

static bool is_clone(const char *symbol, const char *name)
{
    size_t length = strlen(name);
    return strncmp(symbol, name, length) == 0 && symbol[length] == '.' && !is_split_off(symbol);
}

/* ---- those that have it ---- */

struct matches {
    const struct object_function *items[MOST_LISTED]; /* the first ones */
    size_t count;                                     /* of different addresses */
    uint64_t last;
};

/* Aliases, as C++ has them of a constructor, are one function. */
static struct matches find_all(const struct point_object *object, const char *name, name_test *is)
{
    struct matches matches = {0};
    for (size_t i = 0; i < object->count; i++) {
        const struct object_function *function = &object->functions[i];
        if (!is(function->symbol, name) || (matches.count && function->address == matches.last))
            continue;
        if (matches.count < MOST_LISTED)
            matches.items[matches.count] = function;
        matches.count++;
        matches.last = function->address;
    }
    return matches;
}

static bool refuse_several(const struct point_object *object, const char *name,
                           const struct matches *matches, struct error *error)
{
    struct str text = {0};
    for (size_t i = 0; i < matches->count && i < MOST_LISTED; i++) {
        const struct object_function *function = matches->items[i];
        char *whole = __cxa_demangle(function->symbol, NULL, NULL, NULL);
        str_printf(&text, "%s0x%" PRIx64 " %s", i ? ", " : "", function->address,
                   whole ? whole : function->symbol);
        free(whole);
    }
    error_set(error, ERROR_USAGE,
              "%s has %zu functions %s: %s%s. Say which by its address, as in `0x%" PRIx64 "`%s.",
              object->path.data, matches->count, name, str_text(&text),
              matches->count > MOST_LISTED ? ", ..." : "", matches->items[0]->address,
              strncmp(matches->items[0]->symbol, "_Z", 2) == 0 ? ", or with its parameters" : "");
    str_release(&text);
    return false;
}

static bool refuse_none(const struct point_object *object, const char *name, struct error *error)
{
    struct similar similar = {.wanted = name};
    struct intern names = {0};
    struct str near = {0};
    for (size_t i = 0; i < object->count; i++) {
        struct str readable = {0};
        readable_name(object->functions[i].symbol, &readable);
        intern_add(&names, str_text(&readable));
        str_release(&readable);
    }
    for (size_t i = 0; i < names.count; i++)
        similar_offer(&similar, names.text[i]);
    similar_append(&similar, "", &near);
    error_set(
        error, ERROR_USAGE, "%s has no function %s.%s%s", object->path.data, name, str_text(&near),
        !object->count ? " It has no names of functions at all: say an address in the file, as "
                         "in `0x1230`."
        : near.length  ? ""
                       : " It may have been inlined, or be another file's: say "
                         "FUNCTION@FILE then.");
    str_release(&near);
    intern_release(&names);
    return false;
}

/* ---- addresses ---- */

/* What leads to functions of other files has a table for unwinding, too, and is none. */
static bool leads_elsewhere(const struct point_object *object, uint64_t address)
{
    static const char *const names[] = {".plt", ".plt.sec", ".plt.got"};
    GElf_Shdr header;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (point_object_section(object, names[i], &header) && address >= header.sh_addr &&
            address - header.sh_addr < header.sh_size)
            return true;
    return false;
}

/* A probe in the midst of an instruction would change what the program does: only where a function
 * begins. */
static bool find_address(const struct point_object *object, const char *name,
                         struct object_function *found, struct error *error)
{
    char *end;
    uint64_t address = strtoull(name, &end, 16);
    const struct object_function *function = point_object_function_at(object, address);
    bool ranged = frame_range_of(object, address, found) && found->address == address;
    if (*end || (!function && !ranged) || leads_elsewhere(object, address))
        return error_set(error, ERROR_USAGE, "%s has no function that begins at %s.",
                         object->path.data, name);
    if (function && (function->size || !ranged))
        *found = *function;
    return true;
}

bool point_name_find(const struct point_object *object, const char *name,
                     struct object_function *found, struct error *error)
{
    static name_test *const tests[] = {is_linkers, is_with_parameters, is_readable, is_clone};
    if (str_starts_with(name, "0x"))
        return find_address(object, name, found, error);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        struct matches matches = find_all(object, name, tests[i]);
        if (matches.count > 1)
            return refuse_several(object, name, &matches, error);
        if (matches.count == 1) {
            *found = *matches.items[0];
            return true;
        }
    }
    return refuse_none(object, name, error);
}
