#include "sampler/point_wish.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"

static bool has_room(const struct point_wishes *wishes, struct error *error)
{
    return wishes->count < POINT_WISHES_MOST ||
           error_set(error, ERROR_USAGE, "More than %d kinds of requests are too many at once.",
                     POINT_WISHES_MOST);
}

static char *copy_of(const char *text, size_t length)
{
    char *copy = memory_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void release_spot(struct point_spot *spot)
{
    memory_free(spot->name);
    memory_free(spot->file);
    *spot = (struct point_spot){0};
}

static void release_wish(struct point_wish *wish)
{
    release_spot(&wish->begin);
    release_spot(&wish->end);
    memory_free(wish->label);
    wish->label = NULL;
}

void point_wishes_release(struct point_wishes *wishes)
{
    for (uint32_t i = 0; i < wishes->count; i++)
        release_wish(&wishes->items[i]);
    wishes->count = 0;
}

static bool add(struct point_wishes *wishes, struct point_wish *wish, bool ok)
{
    if (ok)
        wishes->items[wishes->count++] = *wish;
    else
        release_wish(wish);
    return ok;
}

/* ---- functions ---- */

/* FUNCTION, FUNCTION%return, FUNCTION@FILE, FUNCTION%return@FILE */
static bool read_function(struct point_spot *spot, const char *text, const char *option,
                          struct error *error)
{
    const char *at = strrchr(text, '@'), *percent = strrchr(text, '%');
    size_t length = at ? (size_t)(at - text) : strlen(text);
    if (percent && (!at || percent < at)) {
        if (strncmp(percent, "%return", length - (size_t)(percent - text)) != 0 ||
            length - (size_t)(percent - text) != strlen("%return"))
            return error_set(error, ERROR_USAGE,
                             "%s %s: behind %% only `return` can stand, as in `%.*s%%return`.",
                             option, text, (int)(percent - text), text);
        spot->at_return = true;
        length = (size_t)(percent - text);
    }
    if (!length || (at && !at[1]))
        return error_set(error, ERROR_USAGE,
                         "%s %s: that names no function. Say FUNCTION, or FUNCTION@FILE for one of "
                         "a library.",
                         option, text);
    spot->name = copy_of(text, length);
    spot->file = at ? memory_strdup(at + 1) : NULL;
    return true;
}

bool point_wishes_add_interval(struct point_wishes *wishes, const char *function,
                               struct error *error)
{
    struct point_wish wish = {.kind = WISH_INTERVAL};
    if (!has_room(wishes, error))
        return false;
    bool ok = read_function(&wish.begin, function, "--interval", error);
    if (ok && wish.begin.at_return)
        ok = error_set(error, ERROR_USAGE,
                       "--interval %s: an interval is a whole call. Leave `%%return` out, or say "
                       "--begin and --end.",
                       function);
    return add(wishes, &wish, ok);
}

bool point_wishes_add_calls(struct point_wishes *wishes, const char *function, const char *label,
                            struct error *error)
{
    struct point_wish wish = {.kind = WISH_CALLS};
    if (!has_room(wishes, error))
        return false;
    bool ok = read_function(&wish.begin, function, "--prove", error);
    if (ok && wish.begin.at_return)
        ok = error_set(error, ERROR_USAGE,
                       "--prove %s: whole calls are measured. Leave `%%return` out.", function);
    wish.label = ok ? memory_strdup(label) : NULL;
    return add(wishes, &wish, ok);
}

/* ---- what tells a request ---- */

static bool read_argument(uint8_t *argument, const char *text, size_t length)
{
    if (length == strlen("return") && strncmp(text, "return", length) == 0)
        *argument = POINT_RETURNED;
    else if (length == 1 && *text >= '1' && *text <= '0' + POINT_ARGUMENTS)
        *argument = (uint8_t)(*text - '0');
    else
        return false;
    return true;
}

/* At its return a function's arguments are gone, and before it there is nothing that it returns. */
static bool fits(const struct point_spot *spot, const char *id, struct error *error)
{
    if (!spot->name || (spot->argument == POINT_RETURNED) == spot->at_return)
        return true;
    if (spot->at_return)
        return error_set(error, ERROR_USAGE,
                         "--id %s: when %s returns its arguments are not known any more. Say "
                         "`return` for what it returns.",
                         id, spot->name);
    return error_set(error, ERROR_USAGE,
                     "--id %s: what %s returns is known only when it does. Say `%s%%return`.", id,
                     spot->name, spot->name);
}

static bool read_id(struct point_wish *wish, const char *id, struct error *error)
{
    if (!id)
        return true;
    size_t first = strcspn(id, ",");
    const char *second = id[first] ? id + first + 1 : id;
    size_t length = id[first] ? strlen(second) : first;
    if (!read_argument(&wish->begin.argument, id, first) ||
        !read_argument(&wish->end.argument, second, length))
        return error_set(error, ERROR_USAGE,
                         "--id %s: say which argument tells a request, from 1 to %d, or `return`; "
                         "or two of them, as in `--id 2,1`, for the begin and for the end.",
                         id, POINT_ARGUMENTS);
    return true;
}

bool point_wishes_add_span(struct point_wishes *wishes, const char *begin, const char *end,
                           const char *id, struct error *error)
{
    struct point_wish wish = {.kind = WISH_SPAN};
    if (!has_room(wishes, error))
        return false;
    if (!begin || !end)
        return error_set(error, ERROR_USAGE,
                         "--%s %s needs a --%s: a request lies between the two.",
                         begin ? "begin" : "end",
                         begin ? begin
                         : end ? end
                               : "",
                         begin ? "end" : "begin");
    bool ok = read_function(&wish.begin, begin, "--begin", error) &&
              read_function(&wish.end, end, "--end", error) && read_id(&wish, id, error) &&
              (!id || (fits(&wish.begin, id, error) && fits(&wish.end, id, error)));
    return add(wishes, &wish, ok);
}

/* ---- static probes ---- */

static bool read_probe(struct point_spot *spot, const char *text, size_t length,
                       const char *provider, size_t provider_length)
{
    const char *colon = memchr(text, ':', length);
    struct str name = {0};
    if (!length || colon == text || (colon && colon + 1 == text + length) || (!colon && !provider))
        return false;
    if (!colon) {
        str_append_bytes(&name, provider, provider_length);
        str_append_char(&name, ':');
    }
    str_append_bytes(&name, text, length);
    spot->name = name.data;
    return true;
}

/* PROVIDER:NAME[,END][@FILE] */
static bool read_probes(struct point_wish *wish, const char *probes, struct error *error)
{
    const char *at = strrchr(probes, '@');
    size_t length = at ? (size_t)(at - probes) : strlen(probes);
    const char *comma = memchr(probes, ',', length);
    size_t first = comma ? (size_t)(comma - probes) : length;
    const char *colon = memchr(probes, ':', first);
    bool ok = (!at || at[1]) && read_probe(&wish->begin, probes, first, NULL, 0) &&
              (!comma || read_probe(&wish->end, comma + 1, length - first - 1, probes,
                                    colon ? (size_t)(colon - probes) : 0));
    if (!ok)
        return error_set(error, ERROR_USAGE,
                         "--usdt %s: say PROVIDER:NAME,END: the probe where a request begins, and "
                         "the one where it ends.",
                         probes);
    wish->begin.file = at ? memory_strdup(at + 1) : NULL;
    wish->end.file = at ? memory_strdup(at + 1) : NULL;
    return true;
}

bool point_wishes_add_usdt(struct point_wishes *wishes, const char *probes, const char *id,
                           struct error *error)
{
    struct point_wish wish = {.kind = WISH_USDT};
    if (!has_room(wishes, error))
        return false;
    bool ok = read_probes(&wish, probes, error) && read_id(&wish, id, error);
    if (ok && (wish.begin.argument == POINT_RETURNED || wish.end.argument == POINT_RETURNED))
        ok =
            error_set(error, ERROR_USAGE,
                      "--id %s: a static probe returns nothing. Say which of its arguments tells a "
                      "request, from 1 to %d.",
                      id, POINT_ARGUMENTS);
    return add(wishes, &wish, ok);
}

bool point_wishes_add_descriptor(struct point_wishes *wishes, struct error *error)
{
    struct point_wish wish = {.kind = WISH_DESCRIPTOR};
    for (uint32_t i = 0; i < wishes->count; i++)
        if (wishes->items[i].kind == WISH_DESCRIPTOR)
            return true;
    return has_room(wishes, error) && add(wishes, &wish, true);
}
