/* forks_handled.h - what the program and its library share. */
#ifndef TESTS_RUNTIME_FORKS_HANDLED_H
#define TESTS_RUNTIME_FORKS_HANDLED_H

enum { PREPARE = 100, PARENT = 200, CHILD = 300, LATE = 10 };
enum { HANDLER_CALLS = 7000 }; /* more than fit into what is left of a chunk */

void handle(long id);

#endif
