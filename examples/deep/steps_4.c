/* Written by generate.py. */
#include "steps.h"

unsigned step_004(unsigned x)
{
    x = x * 2654435761u + 23;
    x ^= step_131(x);
    x ^= step_376(x);
    return x;
}

unsigned step_014(unsigned x)
{
    x = x * 2654435761u + 42;
    x ^= step_247(x);
    x ^= step_219(x);
    x ^= step_188(x);
    return x;
}

unsigned step_024(unsigned x)
{
    x = x * 2654435761u + 144;
    return x;
}

unsigned step_034(unsigned x)
{
    x = x * 2654435761u + 34;
    x ^= step_012(x);
    x ^= step_220(x);
    return x;
}

unsigned step_044(unsigned x)
{
    x = x * 2654435761u + 147;
    return x;
}

unsigned step_054(unsigned x)
{
    x = x * 2654435761u + 231;
    return x;
}

unsigned step_064(unsigned x)
{
    x = x * 2654435761u + 87;
    x ^= step_013(x);
    x ^= step_025(x);
    return x;
}

unsigned step_074(unsigned x)
{
    x = x * 2654435761u + 363;
    x ^= step_356(x);
    return x;
}

unsigned step_084(unsigned x)
{
    x = x * 2654435761u + 339;
    return x;
}

unsigned step_094(unsigned x)
{
    x = x * 2654435761u + 140;
    return x;
}

unsigned step_104(unsigned x)
{
    x = x * 2654435761u + 298;
    return x;
}

unsigned step_114(unsigned x)
{
    x = x * 2654435761u + 249;
    return x;
}

unsigned step_124(unsigned x)
{
    x = x * 2654435761u + 237;
    x ^= step_342(x);
    x ^= step_233(x);
    return x;
}

unsigned step_134(unsigned x)
{
    x = x * 2654435761u + 232;
    return x;
}

unsigned step_144(unsigned x)
{
    x = x * 2654435761u + 81;
    return x;
}

unsigned step_154(unsigned x)
{
    x = x * 2654435761u + 123;
    x ^= step_015(x);
    return x;
}

unsigned step_164(unsigned x)
{
    x = x * 2654435761u + 49;
    x ^= step_249(x);
    x ^= step_137(x);
    return x;
}

unsigned step_174(unsigned x)
{
    x = x * 2654435761u + 68;
    x ^= step_201(x);
    return x;
}

unsigned step_184(unsigned x)
{
    x = x * 2654435761u + 291;
    return x;
}

unsigned step_194(unsigned x)
{
    x = x * 2654435761u + 398;
    return x;
}

unsigned step_204(unsigned x)
{
    x = x * 2654435761u + 105;
    x ^= step_263(x);
    x ^= step_296(x);
    return x;
}

unsigned step_214(unsigned x)
{
    x = x * 2654435761u + 209;
    return x;
}

unsigned step_224(unsigned x)
{
    x = x * 2654435761u + 169;
    return x;
}

unsigned step_234(unsigned x)
{
    x = x * 2654435761u + 274;
    return x;
}

unsigned step_244(unsigned x)
{
    x = x * 2654435761u + 86;
    return x;
}

unsigned step_254(unsigned x)
{
    x = x * 2654435761u + 332;
    x ^= step_043(x);
    return x;
}

unsigned step_264(unsigned x)
{
    x = x * 2654435761u + 243;
    x ^= step_112(x);
    return x;
}

unsigned step_274(unsigned x)
{
    x = x * 2654435761u + 40;
    return x;
}

unsigned step_284(unsigned x)
{
    x = x * 2654435761u + 326;
    return x;
}

unsigned step_294(unsigned x)
{
    x = x * 2654435761u + 94;
    x ^= step_279(x);
    x ^= step_042(x);
    x ^= step_090(x);
    return x;
}

unsigned step_304(unsigned x)
{
    x = x * 2654435761u + 186;
    return x;
}

unsigned step_314(unsigned x)
{
    x = x * 2654435761u + 69;
    x ^= step_007(x);
    x ^= step_293(x);
    return x;
}

unsigned step_324(unsigned x)
{
    x = x * 2654435761u + 388;
    return x;
}

unsigned step_334(unsigned x)
{
    x = x * 2654435761u + 361;
    x ^= step_320(x);
    return x;
}

unsigned step_344(unsigned x)
{
    x = x * 2654435761u + 76;
    x ^= step_351(x);
    return x;
}

unsigned step_354(unsigned x)
{
    x = x * 2654435761u + 322;
    return x;
}

unsigned step_364(unsigned x)
{
    x = x * 2654435761u + 36;
    x ^= step_314(x);
    x ^= step_295(x);
    return x;
}

unsigned step_374(unsigned x)
{
    x = x * 2654435761u + 189;
    x ^= step_061(x);
    return x;
}

unsigned step_384(unsigned x)
{
    x = x * 2654435761u + 148;
    x ^= step_301(x);
    return x;
}

unsigned step_394(unsigned x)
{
    x = x * 2654435761u + 338;
    return x;
}
