/* error.h - how a library function says what went wrong.
 *
 *     struct error error;
 *     if (!trace_open(&trace, path, &error))
 *         fprintf(stderr, "%s\n", error.message);
 *
 * A function that can fail returns false or NULL after filling in the caller's struct error; on
 * success it leaves it alone. A message is one or more whole sentences that say what to do next.
 * driver/ alone prints and exits. BUG() is for our own faults, never for the user's.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>

enum error_code {
    ERROR_NONE,
    ERROR_SYSTEM,  /* the operating system refused: no space, no permission, no such file */
    ERROR_USAGE,   /* the command line or the config is wrong */
    ERROR_TARGET,  /* the target or its build failed */
    ERROR_NOTHING, /* there is nothing to analyse */
    ERROR_FORMAT,  /* a file is damaged or not of this kind */
    ERROR_STOPPED  /* the user interrupted */
};

struct error {
    enum error_code code;
    char message[4096];
};

/* The two functions fill in `error` and return false, so that a caller can write
 * `return error_set(...)`. */
bool error_set(struct error *error, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The text is that of error_set(), with ": " and the text of errno at the end. */
bool error_system(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define BUG(what) error_bug(__FILE__, __LINE__, what)
void error_bug(const char *file, int line, const char *what) __attribute__((noreturn));

#endif
