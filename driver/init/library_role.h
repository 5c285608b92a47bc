/* library_role.h - what a library's function means to whoever serves requests.
 *
 *     library_role("recv")              ROLE_RECEIVE: descriptor is argument 0, data argument 1
 *     library_role("pthread_create")    ROLE_THREAD
 *
 * Only names that a program does not choose itself: those of libc, POSIX, OpenSSL, libevent, libuv
 * and the like; of others by the words in them (mg_printf, MHD_queue_response). Pure.
 */
#ifndef DRIVER_INIT_LIBRARY_ROLE_H
#define DRIVER_INIT_LIBRARY_ROLE_H

#include <stdbool.h>

enum role {
    ROLE_NONE,
    ROLE_RECEIVE,
    ROLE_SEND,
    ROLE_ACCEPT,
    ROLE_SOCKET,  /* makes a socket, whose use tells what for */
    ROLE_LISTEN,  /* listen, bind */
    ROLE_CONNECT, /* makes the socket a client's */
    ROLE_FILE,    /* opens what is no socket: a file, a pipe, an eventfd */
    ROLE_EVENTS,  /* waits for any of many descriptors */
    ROLE_WAIT,    /* waits for another thread */
    ROLE_WAKE,    /* wakes one */
    ROLE_PRINT,   /* writes to standard output */
    ROLE_TYPED,   /* reads from standard input */
    ROLE_THREAD,  /* starts one */
    ROLE_COPY,    /* its other arguments go into the first */
    ROLE_SERVE,   /* registers what the library calls for each request, or each piece of one */
    ROLE_LATER    /* registers what it calls some time, perhaps in another thread */
};

enum { NO_ARGUMENT = -1, RESULT_ARGUMENT = -2 };

struct library_role {
    enum role role;
    int descriptor; /* argument; NO_ARGUMENT: any */
    int data;
    bool socket; /* of nothing but sockets and connections: recv, not read */
};

struct library_role library_role(const char *name);

#endif
