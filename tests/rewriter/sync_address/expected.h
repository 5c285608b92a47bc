#include <pthread.h>
struct methods {
    int (*enter)(pthread_mutex_t *);
    int (*leave)(pthread_mutex_t *);
};
extern const struct methods methods;
int untouched(int n);
int run(const struct methods *own, pthread_mutex_t *m);
static inline int leave_all(pthread_mutex_t *m)
{
    return (pthread_mutex_unlock)(m) + (&pthread_mutex_unlock == methods.leave);
}
