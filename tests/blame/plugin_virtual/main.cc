// A plugin is loaded when a hundred requests are done already, and called through a virtual member.
#include "codec.h"

#include <dlfcn.h>

#include "own.h"
#include <vprof_api.h>

struct Plain : Codec {
    unsigned encode(unsigned r) override
    {
        NAP(90 + r % 20);
        return r;
    }
};

static Codec *codec = new Plain;

static void load()
{
    void *object = dlopen("./codec.so", RTLD_NOW);
    if (!object)
        exit(8);
    void *make = dlsym(object, "codec_new");
    codec = reinterpret_cast<Codec *(*)()>(make)();
}

unsigned store(unsigned r) { return codec->encode(r); }

static void serve(long id, unsigned r)
{
    own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    long a = NOW();
    store(r);
    row->part[0] = NOW() - a;
    NAP(50 + r % 10);
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}

int main()
{
    own_open();
    unsigned long seed = 21;
    for (int i = 0; i < 700; i++) {
        if (i == 100)
            load();
        serve(i + 1, RNG(seed));
    }
    own_close("store", nullptr);
    return 0;
}
