#include "trace/title_role.h"

#include <ctype.h>
#include <string.h>

enum { CAPITALS = 3 }; /* so many letters, and they are no name's initials (chosen) */

struct word {
    const char *text;
    size_t length;
};

/* "" where there is none any more. */
static struct word next_word(const char **at)
{
    while (**at == ' ')
        ++*at;
    struct word word = {*at, strcspn(*at, " ")};
    *at += word.length;
    return word;
}

static bool has_any(struct word word, const char *set)
{
    return strcspn(word.text, set) < word.length;
}

static bool is_state(struct word word)
{
    static const char *const states[] = {"active",    "busy",       "idle",    "is",
                                         "last",      "recovering", "running", "sleeping",
                                         "streaming", "waiting"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strlen(states[i]) == word.length && memcmp(states[i], word.text, word.length) == 0)
            return true;
    return false;
}

static bool is_capitals(struct word word)
{
    for (size_t i = 0; i < word.length; i++)
        if (!isupper((unsigned char)word.text[i]))
            return false;
    return word.length >= CAPITALS;
}

static bool has_digit(struct word word)
{
    return has_any(word, "0123456789");
}

static bool is_label(struct word word)
{
    return word.text[word.length - 1] == ':';
}

static bool changes(struct word word)
{
    return has_any(word, "[](){}<>") || (has_digit(word) && !is_label(word)) ||
           word.text[0] == '/' || word.text[0] == '-' || is_capitals(word) || is_state(word);
}

/* "sshd:" with nothing behind it says no more than "sshd". */
static bool drop_colon(struct str *role, size_t from)
{
    if (role->length > from && role->data[role->length - 1] == ':')
        role->data[--role->length] = '\0';
    return role->length > from;
}

bool title_role(const char *title, struct str *role)
{
    const char *at = title;
    size_t from = role->length;
    struct word word = next_word(&at);
    if (!word.length || has_any(word, "[](){}<>"))
        return false;
    str_append_bytes(role, word.text, word.length);
    for (word = next_word(&at); word.length && !changes(word); word = next_word(&at)) {
        if (has_digit(word))
            continue;
        str_append_char(role, ' ');
        str_append_bytes(role, word.text, word.length);
    }
    return drop_colon(role, from);
}
