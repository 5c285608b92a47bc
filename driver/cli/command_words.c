#include "driver/cli/command_words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "driver/cli/shell_word.h"

#define HIDDEN "***"
#define BLANKS " \t\n"

/* A name tells whether the value after it is a secret. */
enum secrecy { PLAIN, AFTER_COLON, SECRET };

static bool contains(const char *name, size_t length, const char *part)
{
    size_t wanted = strlen(part);
    for (size_t i = 0; i + wanted <= length; i++)
        if (strncasecmp(name + i, part, wanted) == 0)
            return true;
    return false;
}

static bool ends_with(const char *name, size_t length, const char *part)
{
    size_t wanted = strlen(part);
    return length >= wanted && strncasecmp(name + length - wanted, part, wanted) == 0;
}

static enum secrecy secrecy_of(const char *name, size_t length)
{
    static const char *const parts[] = {"passw",      "passphrase", "pwd",    "secret", "token",
                                        "credential", "authoriz",   "cookie", "apikey", "bearer"};
    static const char *const ends[] = {"pass", "auth", "key"};
    while (length > 0 && *name == '-')
        name++, length--;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (contains(name, length, parts[i]))
            return SECRET;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(name, length, ends[i]))
            return SECRET;
    bool user = (length == 1 && (*name == 'u' || *name == 'U')) || ends_with(name, length, "user");
    return user ? AFTER_COLON : PLAIN;
}

/* Finds the password in "://name:password@", and its length; else NULL. */
static const char *find_url_password(const char *text, size_t length, size_t *password)
{
    const char *end = text + length, *at = memmem(text, length, "://", 3);
    if (!at)
        return NULL;
    at += 3;
    size_t host = 0;
    for (size_t i = 0; at + i < end && !strchr("/?#", at[i]); i++)
        if (at[i] == '@')
            host = i;
    const char *colon = host ? memchr(at, ':', host) : NULL;
    if (!colon)
        return NULL;
    *password = (size_t)(at + host - colon) - 1;
    return colon + 1;
}

static void append_value(struct str *text, const char *value, size_t length, enum secrecy secrecy)
{
    size_t hidden = 0;
    const char *colon = secrecy == AFTER_COLON ? memchr(value, ':', length) : NULL;
    const char *secret = find_url_password(value, length, &hidden);
    if (colon && !secret) {
        secret = colon + 1;
        hidden = (size_t)(value + length - secret);
    }
    if (secrecy == SECRET) {
        secret = value;
        hidden = length;
    }
    if (!secret) {
        str_append_bytes(text, value, length);
        return;
    }
    str_append_bytes(text, value, (size_t)(secret - value));
    str_append(text, HIDDEN);
    str_append_bytes(text, secret + hidden, (size_t)(value + length - secret) - hidden);
}

/* Appends a word, or one word of a command line that is itself a word. `before` is what the word
 * before said of its value; the result says the same to the next word. */
static enum secrecy append_part(struct str *text, const char *part, size_t length,
                                enum secrecy before)
{
    size_t name = 0;
    while (name < length && !strchr("=:" BLANKS "'\"", part[name]))
        name++;
    enum secrecy secrecy = secrecy_of(part, name);
    bool option = *part == '-', assigned = name < length && part[name] == '=';
    bool header = name < length && part[name] == ':' && secrecy == SECRET && part[name + 1] != '/';
    if (before != PLAIN && !option) {
        append_value(text, part, length, before);
        return PLAIN;
    }
    if (!assigned && !header) {
        append_value(text, part, length, PLAIN);
        return option ? secrecy : PLAIN;
    }
    str_append_bytes(text, part, name + 1);
    append_value(text, part + name + 1, length - name - 1, secrecy);
    return header && name + 1 == length ? SECRET : PLAIN;
}

/* A part ends where a shell would cut the line: quotes keep blanks in it. */
static size_t part_length(const char *part)
{
    char quote = '\0';
    size_t length = 0;
    for (; part[length]; length++) {
        char c = part[length];
        if (quote ? c == quote : c == '\'' || c == '"')
            quote = quote ? '\0' : c;
        else if (!quote && strchr(BLANKS ";|&", c))
            break;
    }
    return length;
}

static enum secrecy append_line(struct str *text, const char *line, enum secrecy before)
{
    while (*line) {
        size_t blanks = strspn(line, BLANKS ";|&");
        str_append_bytes(text, line, blanks);
        line += blanks;
        size_t length = part_length(line);
        if (length)
            before = append_part(text, line, length, before);
        line += length;
    }
    return before;
}

/* A word with a name in front ("--secret=two words") is one value, whatever blanks are in it.
 * Another one with blanks is a command line. */
static enum secrecy append_word(struct str *text, const char *word, enum secrecy before)
{
    size_t name = strcspn(word, "=:" BLANKS "'\"");
    bool named = word[name] && strchr("=:", word[name]) && secrecy_of(word, name) != PLAIN;
    if (before != PLAIN || named || !strpbrk(word, BLANKS))
        return append_part(text, word, strlen(word), before);
    return append_line(text, word, PLAIN);
}

/* A word that has to be quoted is, whatever of it is hidden: the stars are not to be typed. */
static enum secrecy append_redacted(struct str *text, const char *word, enum secrecy before)
{
    struct str shown = {0};
    before = append_word(&shown, word, before);
    if (shell_word_is_plain(word))
        str_append(text, str_text(&shown));
    else
        shell_word_append_quoted(text, str_text(&shown));
    str_release(&shown);
    return before;
}

void command_words(struct str *text, int argc, char *const *argv, bool redact)
{
    enum secrecy before = PLAIN;
    str_append(text, "vprofiler");
    for (int i = 0; i < argc; i++) {
        str_append_char(text, ' ');
        if (redact)
            before = append_redacted(text, argv[i], before);
        else
            shell_word_append(text, argv[i]);
    }
}

void command_words_line(struct str *text, const char *line, bool redact)
{
    if (redact)
        append_line(text, line, PLAIN);
    else
        str_append(text, line);
}
