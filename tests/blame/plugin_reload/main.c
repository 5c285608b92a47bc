/* Plugins are loaded anew again and again, and closed before the program ends. */
#include <dlfcn.h>

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
    a = NOW();
    run_rules(r);
    row->part[0] = NOW() - a;
    NAP(60 + r % 20);
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}

int main(void)
{
    unsigned long seed = 25;
    own_open();
    for (int i = 0; i < 500; i++) {
        if (i % 100 == 0)
            load();
        serve(i + 1, RNG(seed));
        if (i % 100 == 99)
            unload();
    }
    own_close("run_rules", NULL);
    return 0;
}
