/* As much of libevent's interface as the programs beside use; nothing of it is linked. */
#ifndef INIT_SERVERS_EVENT_H
#define INIT_SERVERS_EVENT_H

#include <stddef.h>
#include <sys/time.h>

struct event;
struct event_base;
typedef void (*event_callback_fn)(int, short, void *);
enum { EV_TIMEOUT = 1, EV_READ = 2, EV_PERSIST = 16 };

struct event_base *event_base_new(void);
int event_base_dispatch(struct event_base *);
struct event *event_new(struct event_base *, int, short, event_callback_fn, void *);
int event_add(struct event *, const struct timeval *);
void event_free(struct event *);

#endif
