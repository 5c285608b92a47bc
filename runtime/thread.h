/* thread.h - the lives of threads: who created whom, and when one ends.
 *
 * A thread made through thread_create() begins with a STARTED record that carries the token of its
 * creator's CREATE record. Each thread that recorded anything ends with an EXIT record, however it
 * was made; one made here also releases whoever joins it.
 */
#ifndef RUNTIME_THREAD_H
#define RUNTIME_THREAD_H

#include <stdbool.h>

/* A process calls this before the program makes keys of its own: setting one of the first 32
 * (glibc) allocates nothing. False: a thread's end can't be learned of. */
bool thread_start_up(void);

/* The calling thread has a log now. */
void thread_notice(void);

/* The wrappers of pthread_create, pthread_join and their kin record what they do. */
int thread_create(unsigned site, void *thread, const void *attr, void *(*start)(void *), void *arg);
int thread_create_c11(unsigned site, void *thread, int (*start)(void *), void *arg);
int thread_join(unsigned site, unsigned long thread, void **result);
int thread_timedjoin(unsigned site, unsigned long thread, void **result, const void *abstime);
int thread_clockjoin(unsigned site, unsigned long thread, void **result, int clock,
                     const void *abstime);
int thread_join_c11(unsigned site, unsigned long thread, int *result);

#endif
