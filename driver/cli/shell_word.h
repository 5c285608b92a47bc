/* shell_word.h - a command line as it is typed: a shell reads the same words again.
 *
 *     shell_word_append(&line, "./toy && true");          './toy && true'
 */
#ifndef DRIVER_CLI_SHELL_WORD_H
#define DRIVER_CLI_SHELL_WORD_H

#include <stdbool.h>

#include "base/str.h"

/* A plain word needs no quotes. */
bool shell_word_is_plain(const char *word);
void shell_word_append(struct str *line, const char *word);
/* Puts the word in quotes, whatever it holds. */
void shell_word_append_quoted(struct str *line, const char *word);

#endif
