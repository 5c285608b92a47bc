#ifndef INIT_SERVERS_BUFFER_H
#define INIT_SERVERS_BUFFER_H

struct evbuffer;
struct evbuffer *evbuffer_new(void);
int evbuffer_add_printf(struct evbuffer *, const char *, ...);
void evbuffer_free(struct evbuffer *);

#endif
