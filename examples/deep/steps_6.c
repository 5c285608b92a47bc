/* Written by generate.py. */
#include "steps.h"

unsigned step_006(unsigned x)
{
    x = x * 2654435761u + 382;
    return x;
}

unsigned step_016(unsigned x)
{
    x = x * 2654435761u + 56;
    x ^= step_142(x);
    return x;
}

unsigned step_026(unsigned x)
{
    x = x * 2654435761u + 289;
    return x;
}

unsigned step_036(unsigned x)
{
    x = x * 2654435761u + 185;
    return x;
}

unsigned step_046(unsigned x)
{
    x = x * 2654435761u + 287;
    x ^= step_338(x);
    return x;
}

unsigned step_056(unsigned x)
{
    x = x * 2654435761u + 288;
    return x;
}

unsigned step_066(unsigned x)
{
    x = x * 2654435761u + 47;
    x ^= step_065(x);
    x ^= step_393(x);
    x ^= step_022(x);
    x ^= step_273(x);
    return x;
}

unsigned step_076(unsigned x)
{
    x = x * 2654435761u + 180;
    return x;
}

unsigned step_086(unsigned x)
{
    x = x * 2654435761u + 65;
    x ^= step_309(x);
    x ^= step_367(x);
    return x;
}

unsigned step_096(unsigned x)
{
    x = x * 2654435761u + 263;
    x ^= step_171(x);
    x ^= step_152(x);
    return x;
}

unsigned step_106(unsigned x)
{
    x = x * 2654435761u + 245;
    return x;
}

unsigned step_116(unsigned x)
{
    x = x * 2654435761u + 119;
    return x;
}

unsigned step_126(unsigned x)
{
    x = x * 2654435761u + 320;
    return x;
}

unsigned step_136(unsigned x)
{
    x = x * 2654435761u + 278;
    return x;
}

unsigned step_146(unsigned x)
{
    x = x * 2654435761u + 13;
    x ^= step_128(x);
    x ^= step_359(x);
    x ^= step_118(x);
    return x;
}

unsigned step_156(unsigned x)
{
    x = x * 2654435761u + 268;
    return x;
}

unsigned step_166(unsigned x)
{
    x = x * 2654435761u + 111;
    x ^= step_316(x);
    x ^= step_028(x);
    x ^= step_116(x);
    x ^= step_129(x);
    return x;
}

unsigned step_176(unsigned x)
{
    x = x * 2654435761u + 177;
    return x;
}

unsigned step_186(unsigned x)
{
    x = x * 2654435761u + 93;
    x ^= step_155(x);
    x ^= step_218(x);
    return x;
}

unsigned step_196(unsigned x)
{
    x = x * 2654435761u + 146;
    return x;
}

unsigned step_206(unsigned x)
{
    x = x * 2654435761u + 101;
    x ^= step_287(x);
    x ^= step_231(x);
    x ^= step_397(x);
    return x;
}

unsigned step_216(unsigned x)
{
    x = x * 2654435761u + 38;
    x ^= step_072(x);
    x ^= step_036(x);
    return x;
}

unsigned step_226(unsigned x)
{
    x = x * 2654435761u + 89;
    x ^= step_077(x);
    return x;
}

unsigned step_236(unsigned x)
{
    x = x * 2654435761u + 95;
    x ^= step_277(x);
    return x;
}

unsigned step_246(unsigned x)
{
    x = x * 2654435761u + 357;
    return x;
}

unsigned step_256(unsigned x)
{
    x = x * 2654435761u + 370;
    return x;
}

unsigned step_266(unsigned x)
{
    x = x * 2654435761u + 120;
    return x;
}

unsigned step_276(unsigned x)
{
    x = x * 2654435761u + 327;
    return x;
}

unsigned step_286(unsigned x)
{
    x = x * 2654435761u + 183;
    return x;
}

unsigned step_296(unsigned x)
{
    x = x * 2654435761u + 159;
    return x;
}

unsigned step_306(unsigned x)
{
    x = x * 2654435761u + 35;
    x ^= step_123(x);
    x ^= step_358(x);
    x ^= step_143(x);
    x ^= step_291(x);
    return x;
}

unsigned step_316(unsigned x)
{
    x = x * 2654435761u + 356;
    return x;
}

unsigned step_326(unsigned x)
{
    x = x * 2654435761u + 158;
    x ^= step_234(x);
    x ^= step_292(x);
    x ^= step_162(x);
    x ^= step_302(x);
    return x;
}

unsigned step_336(unsigned x)
{
    x = x * 2654435761u + 117;
    x ^= step_396(x);
    x ^= step_286(x);
    return x;
}

unsigned step_346(unsigned x)
{
    x = x * 2654435761u + 362;
    return x;
}

unsigned step_356(unsigned x)
{
    x = x * 2654435761u + 384;
    return x;
}

unsigned step_366(unsigned x)
{
    x = x * 2654435761u + 79;
    x ^= step_193(x);
    x ^= step_268(x);
    return x;
}

unsigned step_376(unsigned x)
{
    x = x * 2654435761u + 198;
    return x;
}

unsigned step_386(unsigned x)
{
    x = x * 2654435761u + 236;
    x ^= step_185(x);
    return x;
}

unsigned step_396(unsigned x)
{
    x = x * 2654435761u + 270;
    return x;
}
