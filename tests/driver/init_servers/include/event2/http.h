#ifndef INIT_SERVERS_HTTP_H
#define INIT_SERVERS_HTTP_H

struct event_base;
struct evbuffer;
struct evhttp;
struct evhttp_request;
struct evhttp *evhttp_new(struct event_base *);
int evhttp_bind_socket(struct evhttp *, const char *, unsigned short);
void evhttp_set_gencb(struct evhttp *, void (*)(struct evhttp_request *, void *), void *);
const char *evhttp_request_get_uri(const struct evhttp_request *);
void evhttp_send_reply(struct evhttp_request *, int, const char *, struct evbuffer *);

#endif
