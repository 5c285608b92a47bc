/* wait_ready.h - waits for the first of several descriptors that becomes ready: poll, select,
 * epoll.
 *
 * Each call is first tried; what is ready leaves no record. Else the first descriptor that is ready
 * afterwards ended the wait: where that is a channel (channel.h), whoever wrote to it, or closed
 * its other end; where it is none, nobody knows who. Nothing is taken, and a time-out or a signal
 * is nobody's doing. Results, errno and cancellation are those of the real calls. What a wait for
 * an epoll set costs does not depend on how many descriptors are in it.
 */
#ifndef RUNTIME_WAIT_READY_H
#define RUNTIME_WAIT_READY_H

int wait_poll(unsigned site, void *set, unsigned long count, int timeout_ms);
int wait_ppoll(unsigned site, void *set, unsigned long count, const void *timeout,
               const void *signals);
int wait_select(unsigned site, int count, void *reads, void *writes, void *others, void *timeout);
int wait_pselect(unsigned site, int count, void *reads, void *writes, void *others,
                 const void *timeout, const void *signals);

/* The call waits for nothing: it learns what an event of the set will tell of. */
int wait_epoll_ctl(unsigned site, int set, int what, int fd, void *event);
int wait_epoll_wait(unsigned site, int set, void *events, int most, int timeout_ms);
int wait_epoll_pwait(unsigned site, int set, void *events, int most, int timeout_ms,
                     const void *signals);
int wait_epoll_pwait2(unsigned site, int set, void *events, int most, const void *timeout,
                      const void *signals);

#endif
