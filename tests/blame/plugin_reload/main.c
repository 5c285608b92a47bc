/* Plugins are loaded anew again and again, and closed before the program ends. EACH: for each request, within
 * it. BESIDE: another thread loads and closes one all the time. */
#include <dlfcn.h>
#include <pthread.h>

#include "own.h"
#include <vprof_api.h>

static void *objects[2];
static int (*apply[2])(unsigned);

static void load(void)
{
    static const char *const FILES[] = {"./flat.so", "./deep.so"};
    for (int i = 0; i < 2; i++) {
        objects[i] = dlopen(FILES[i], RTLD_NOW | RTLD_LOCAL);
        if (!objects[i])
            exit(8);
        *(void **)&apply[i] = dlsym(objects[i], "rules_apply");
    }
}

static void unload(void)
{
    dlclose(objects[1]);
    dlclose(objects[0]);
}

#ifdef EACH
enum { TURNS = 1 };
#else
enum { TURNS = 100 };
#endif

static volatile int ended;

static void *reload(void *unused)
{
    while (!ended) {
        void *object = dlopen("./other.so", RTLD_NOW | RTLD_LOCAL);
        if (!object)
            exit(7);
        NAP(500);
        dlclose(object);
    }
    return unused;
}

int run_rules(unsigned r)
{
    int n = 0;
    for (int i = 0; i < 2; i++)
        n += apply[i](r);
    return n;
}

static void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    long a;
    row->begin = NOW();
    SI_BEGIN(id);
    if (id % TURNS == 1 % TURNS)
        load();
    a = NOW();
    run_rules(r);
    row->part[0] = NOW() - a;
    NAP(60 + r % 20);
    if (id % TURNS == 0)
        unload();
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}

int main(void)
{
    unsigned long seed = 25;
    pthread_t thread;
    own_open();
#ifdef BESIDE
    if (pthread_create(&thread, NULL, reload, NULL) != 0)
        exit(6);
#else
    (void)thread;
    (void)reload;
#endif
    for (int i = 0; i < 500; i++)
        serve(i + 1, RNG(seed));
#ifdef BESIDE
    ended = 1;
    pthread_join(thread, NULL);
#endif
    own_close("run_rules", NULL);
    return 0;
}
