/* contexts.h - the program's calls of swapcontext() and setcontext(), which say where they go to.
 *
 * The thread comes to the context's stack (stacks.h), or jumps on the one that it is on (jumps.h).
 * Results and errno are those of the real calls.
 */
#ifndef RUNTIME_CONTEXTS_H
#define RUNTIME_CONTEXTS_H

int contexts_swap(unsigned site, void *from, const void *to);
int contexts_set(unsigned site, const void *to);

#endif
