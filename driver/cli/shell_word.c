#include "driver/cli/shell_word.h"

#include <string.h>

bool shell_word_is_plain(const char *word)
{
    return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789_-+=:,./@%")];
}

void shell_word_append_quoted(struct str *line, const char *word)
{
    str_append_char(line, '\'');
    for (; *word; word++)
        if (*word == '\'')
            str_append(line, "'\\''");
        else
            str_append_char(line, *word);
    str_append_char(line, '\'');
}

void shell_word_append(struct str *line, const char *word)
{
    if (shell_word_is_plain(word))
        str_append(line, word);
    else
        shell_word_append_quoted(line, word);
}
