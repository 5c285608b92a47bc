// The plugin: train is static in it, and takes 3..8 ms one time in seven.
#include "codec.h"

#include <time.h>

static void rest(long us)
{
    struct timespec t = {0, us * 1000};
    nanosleep(&t, nullptr);
}

static void train(unsigned r) { rest(3000 + r % 5000); }
static void write_block(unsigned r) { rest(80 + r % 20); }

struct Zip final : Codec {
    unsigned encode(unsigned r) override
    {
        if (r % 7 == 0)
            train(r / 7);
        write_block(r);
        return r;
    }
};

extern "C" Codec *codec_new() { return new Zip; }
