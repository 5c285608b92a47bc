/* check.h - a program's own checks; its trace, where it has one, is checked by check.py. */
#ifndef TESTS_RUNTIME_CHECK_H
#define TESTS_RUNTIME_CHECK_H

#include <stdio.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

#endif
