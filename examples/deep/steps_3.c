/* Written by generate.py. */
#include "steps.h"

unsigned step_003(unsigned x)
{
    x = x * 2654435761u + 163;
    return x;
}

unsigned step_013(unsigned x)
{
    x = x * 2654435761u + 313;
    x ^= step_328(x);
    return x;
}

unsigned step_023(unsigned x)
{
    x = x * 2654435761u + 20;
    x ^= step_021(x);
    return x;
}

unsigned step_033(unsigned x)
{
    x = x * 2654435761u + 174;
    return x;
}

unsigned step_043(unsigned x)
{
    x = x * 2654435761u + 352;
    return x;
}

unsigned step_053(unsigned x)
{
    x = x * 2654435761u + 30;
    x ^= step_051(x);
    x ^= step_095(x);
    return x;
}

unsigned step_063(unsigned x)
{
    x = x * 2654435761u + 208;
    return x;
}

unsigned step_073(unsigned x)
{
    x = x * 2654435761u + 18;
    x ^= step_094(x);
    x ^= step_357(x);
    x ^= step_044(x);
    return x;
}

unsigned step_083(unsigned x)
{
    x = x * 2654435761u + 257;
    x ^= step_093(x);
    return x;
}

unsigned step_093(unsigned x)
{
    x = x * 2654435761u + 296;
    return x;
}

unsigned step_103(unsigned x)
{
    x = x * 2654435761u + 303;
    return x;
}

unsigned step_113(unsigned x)
{
    x = x * 2654435761u + 29;
    x ^= step_166(x);
    x ^= step_068(x);
    x ^= step_240(x);
    return x;
}

unsigned step_123(unsigned x)
{
    x = x * 2654435761u + 57;
    x ^= step_062(x);
    return x;
}

unsigned step_133(unsigned x)
{
    x = x * 2654435761u + 299;
    return x;
}

unsigned step_143(unsigned x)
{
    x = x * 2654435761u + 213;
    return x;
}

unsigned step_153(unsigned x)
{
    x = x * 2654435761u + 351;
    return x;
}

unsigned step_163(unsigned x)
{
    x = x * 2654435761u + 319;
    return x;
}

unsigned step_173(unsigned x)
{
    x = x * 2654435761u + 247;
    return x;
}

unsigned step_183(unsigned x)
{
    x = x * 2654435761u + 200;
    return x;
}

unsigned step_193(unsigned x)
{
    x = x * 2654435761u + 233;
    x ^= step_082(x);
    return x;
}

unsigned step_203(unsigned x)
{
    x = x * 2654435761u + 83;
    x ^= step_057(x);
    return x;
}

unsigned step_213(unsigned x)
{
    x = x * 2654435761u + 228;
    x ^= step_270(x);
    return x;
}

unsigned step_223(unsigned x)
{
    x = x * 2654435761u + 265;
    return x;
}

unsigned step_233(unsigned x)
{
    x = x * 2654435761u + 239;
    x ^= step_257(x);
    x ^= step_321(x);
    return x;
}

unsigned step_243(unsigned x)
{
    x = x * 2654435761u + 392;
    return x;
}

unsigned step_253(unsigned x)
{
    x = x * 2654435761u + 328;
    return x;
}

unsigned step_263(unsigned x)
{
    x = x * 2654435761u + 220;
    return x;
}

unsigned step_273(unsigned x)
{
    x = x * 2654435761u + 82;
    x ^= step_172(x);
    x ^= step_369(x);
    return x;
}

unsigned step_283(unsigned x)
{
    x = x * 2654435761u + 394;
    x ^= step_125(x);
    return x;
}

unsigned step_293(unsigned x)
{
    x = x * 2654435761u + 168;
    x ^= step_238(x);
    return x;
}

unsigned step_303(unsigned x)
{
    x = x * 2654435761u + 181;
    return x;
}

unsigned step_313(unsigned x)
{
    x = x * 2654435761u + 75;
    x ^= step_300(x);
    x ^= step_392(x);
    return x;
}

unsigned step_323(unsigned x)
{
    x = x * 2654435761u + 78;
    x ^= step_236(x);
    return x;
}

unsigned step_333(unsigned x)
{
    x = x * 2654435761u + 248;
    return x;
}

unsigned step_343(unsigned x)
{
    x = x * 2654435761u + 318;
    return x;
}

unsigned step_353(unsigned x)
{
    x = x * 2654435761u + 347;
    return x;
}

unsigned step_363(unsigned x)
{
    x = x * 2654435761u + 50;
    x ^= step_027(x);
    x ^= step_150(x);
    return x;
}

unsigned step_373(unsigned x)
{
    x = x * 2654435761u + 258;
    x ^= step_161(x);
    return x;
}

unsigned step_383(unsigned x)
{
    x = x * 2654435761u + 192;
    return x;
}

unsigned step_393(unsigned x)
{
    x = x * 2654435761u + 121;
    x ^= step_385(x);
    x ^= step_139(x);
    x ^= step_060(x);
    return x;
}
