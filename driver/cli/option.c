#include "driver/cli/option.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/similar.h"

/* Lists of repeated options; they live as long as the process. */
static struct arena lists_;

void option_append_name(const struct option_spec *option, struct str *text)
{
    str_printf(text, "%s%s", option->name ? "--" : "",
               option->name ? option->name : option->argument);
}

static bool wants(const struct option_spec *option, const char *what, const char *text,
                  struct str *fault)
{
    option_append_name(option, fault);
    str_printf(fault, " wants %s, not '%s'.", what, text);
    return false;
}

static bool take_text(const struct option_spec *option, const char *text, const char **value,
                      struct str *fault)
{
    if (!*text)
        return wants(option, option->argument, text, fault);
    *value = text;
    return true;
}

uint32_t option_count(const char *const *texts)
{
    uint32_t count = 0;
    while (texts && texts[count])
        count++;
    return count;
}

static bool take_one_more(const struct option_spec *option, const char *text,
                          const char *const **list, struct str *fault)
{
    uint32_t count = option_count(*list);
    const char **longer = ARENA_ARRAY(&lists_, const char *, count + 2);
    if (count)
        memcpy(longer, *list, count * sizeof *longer);
    *list = longer;
    return take_text(option, text, &longer[count], fault);
}

static bool take_choice(const struct option_spec *option, const char *text, const char **value,
                        struct str *fault)
{
    struct similar similar = {.wanted = text};
    struct str all = {0};
    for (const char *const *choice = option->choices; *choice; choice++) {
        if (strcmp(*choice, text) == 0) {
            *value = *choice;
            str_release(&all);
            return true;
        }
        similar_offer(&similar, *choice);
        str_printf(&all, "%s%s",
                   choice == option->choices ? ""
                   : choice[1]               ? ", "
                                             : " or ",
                   *choice);
    }
    wants(option, all.data, text, fault);
    similar_append(&similar, "", fault);
    str_release(&all);
    return false;
}

static bool take_whole(const struct option_spec *option, const char *text, unsigned *value,
                       struct str *fault)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (end != text && !*end && text[0] != '-' && number >= 1 && number <= option->most) {
        *value = (unsigned)number;
        return true;
    }
    struct str range = {0};
    str_printf(&range, "a whole number from 1 to %lu", option->most);
    wants(option, range.data, text, fault);
    str_release(&range);
    return false;
}

static bool take_fraction(const struct option_spec *option, const char *text, double *value,
                          struct str *fault)
{
    char *end;
    *value = strtod(text, &end);
    return (end != text && !*end && *value > 0 && *value < 1) ||
           wants(option, "a fraction between 0 and 1 (0.05 is 5 %)", text, fault);
}

/* A time is "90s", "10m" or "1.5h"; a bare number is seconds. */
static bool take_duration(const struct option_spec *option, const char *text, double *value,
                          struct str *fault)
{
    static const char units[] = "smh";
    static const double seconds[] = {1, 60, 3600};
    char *end;
    *value = strtod(text, &end);
    const char *unit = *end ? strchr(units, *end) : units;
    bool good = end != text && unit && (!*end || !end[1]) && *value > 0 && *value < 1e9;
    if (good)
        *value *= seconds[unit - units];
    return good || wants(option, "a time such as 90s, 10m or 2h", text, fault);
}

bool option_take(const struct option_spec *option, const char *text, void *values,
                 struct str *fault)
{
    void *value = (char *)values + option->offset;
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)value = true;
        return true;
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_FOLDER:
        return option->repeatable ? take_one_more(option, text, value, fault)
                                  : take_text(option, text, value, fault);
    case OPTION_CHOICE:
        return take_choice(option, text, value, fault);
    case OPTION_WHOLE:
    case OPTION_PROCESSORS:
        return take_whole(option, text, value, fault);
    case OPTION_FRACTION:
        return take_fraction(option, text, value, fault);
    case OPTION_DURATION:
        return take_duration(option, text, value, fault);
    case OPTION_COMMAND:
        break;
    }
    BUG("words after -- are not one value");
}

static void set_zero(const struct option_spec *option, void *value)
{
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)value = false;
        return;
    case OPTION_WHOLE:
        *(unsigned *)value = 0;
        return;
    case OPTION_PROCESSORS:
        *(unsigned *)value = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
        return;
    case OPTION_FRACTION:
    case OPTION_DURATION:
        *(double *)value = 0;
        return;
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_FOLDER:
    case OPTION_CHOICE:
    case OPTION_COMMAND:
        *(const void **)value = NULL;
        return;
    }
}

void option_set_usual(const struct option_spec *option, void *values)
{
    struct str fault = {0};
    set_zero(option, (char *)values + option->offset);
    if (option->usual && !option_take(option, option->usual, values, &fault))
        BUG(str_text(&fault));
}

bool option_is_zero(const struct option_spec *option, const void *values)
{
    const void *value = (const char *)values + option->offset;
    switch (option->kind) {
    case OPTION_FLAG:
        return !*(const bool *)value;
    case OPTION_WHOLE:
    case OPTION_PROCESSORS:
        return *(const unsigned *)value == 0;
    case OPTION_FRACTION:
    case OPTION_DURATION:
        return *(const double *)value <= 0;
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_FOLDER:
    case OPTION_CHOICE:
    case OPTION_COMMAND:
        return *(const void *const *)value == NULL;
    }
    BUG("an option of no kind");
}
