/* wait_channel.h - waits for pipes, eventfds and socket pairs, and the calls that end them.
 *
 * A read waits for something to read, and makes room; a write makes something to read, and may have
 * to wait for room. What was made by pipe(), eventfd() or socketpair() of rewritten code is known
 * by its descriptor (channel.h); all other descriptors go straight to the real call. What is ready
 * leaves no record but that it was taken, where others wait for it; of the rest the time tells
 * whether there was a wait. Results, errno and cancellation are those of the real calls.
 */
#ifndef RUNTIME_WAIT_CHANNEL_H
#define RUNTIME_WAIT_CHANNEL_H

int wait_pipe(unsigned site, int *fds);
int wait_pipe2(unsigned site, int *fds, int flags);
int wait_eventfd(unsigned site, unsigned count, int flags);
int wait_socketpair(unsigned site, int domain, int type, int protocol, int *fds);
int wait_close(unsigned site, int fd);
int wait_shutdown(unsigned site, int fd, int how);

long wait_read(unsigned site, int fd, void *buffer, unsigned long size);
long wait_readv(unsigned site, int fd, const void *parts, int count);
long wait_recv(unsigned site, int fd, void *buffer, unsigned long size, int flags);
long wait_recvfrom(unsigned site, int fd, void *buffer, unsigned long size, int flags,
                   void *address, unsigned *length);
long wait_recvmsg(unsigned site, int fd, void *message, int flags);
int wait_eventfd_read(unsigned site, int fd, void *value);
long wait_write(unsigned site, int fd, const void *buffer, unsigned long size);
long wait_writev(unsigned site, int fd, const void *parts, int count);
long wait_send(unsigned site, int fd, const void *buffer, unsigned long size, int flags);
long wait_sendto(unsigned site, int fd, const void *buffer, unsigned long size, int flags,
                 const void *address, unsigned length);
long wait_sendmsg(unsigned site, int fd, const void *message, int flags);
int wait_eventfd_write(unsigned site, int fd, unsigned long value);

#endif
