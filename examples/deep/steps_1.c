/* Written by generate.py. */
#include "steps.h"

unsigned step_001(unsigned x)
{
    x = x * 2654435761u + 331;
    return x;
}

unsigned step_011(unsigned x)
{
    x = x * 2654435761u + 214;
    x ^= step_394(x);
    return x;
}

unsigned step_021(unsigned x)
{
    x = x * 2654435761u + 145;
    x ^= step_020(x);
    x ^= step_303(x);
    return x;
}

unsigned step_031(unsigned x)
{
    x = x * 2654435761u + 109;
    return x;
}

unsigned step_041(unsigned x)
{
    x = x * 2654435761u + 126;
    x ^= step_009(x);
    x ^= step_037(x);
    return x;
}

unsigned step_051(unsigned x)
{
    x = x * 2654435761u + 31;
    x ^= step_244(x);
    x ^= step_084(x);
    return x;
}

unsigned step_061(unsigned x)
{
    x = x * 2654435761u + 269;
    x ^= step_005(x);
    return x;
}

unsigned step_071(unsigned x)
{
    x = x * 2654435761u + 235;
    return x;
}

unsigned step_081(unsigned x)
{
    x = x * 2654435761u + 337;
    return x;
}

unsigned step_091(unsigned x)
{
    x = x * 2654435761u + 234;
    return x;
}

unsigned step_101(unsigned x)
{
    x = x * 2654435761u + 161;
    return x;
}

unsigned step_111(unsigned x)
{
    x = x * 2654435761u + 242;
    return x;
}

unsigned step_121(unsigned x)
{
    x = x * 2654435761u + 71;
    x ^= step_267(x);
    x ^= step_085(x);
    return x;
}

unsigned step_131(unsigned x)
{
    x = x * 2654435761u + 72;
    x ^= step_035(x);
    x ^= step_310(x);
    x ^= step_100(x);
    x ^= step_029(x);
    return x;
}

unsigned step_141(unsigned x)
{
    x = x * 2654435761u + 166;
    x ^= step_092(x);
    x ^= step_191(x);
    x ^= step_264(x);
    x ^= step_104(x);
    return x;
}

unsigned step_151(unsigned x)
{
    x = x * 2654435761u + 271;
    return x;
}

unsigned step_161(unsigned x)
{
    x = x * 2654435761u + 359;
    return x;
}

unsigned step_171(unsigned x)
{
    x = x * 2654435761u + 292;
    x ^= step_361(x);
    return x;
}

unsigned step_181(unsigned x)
{
    x = x * 2654435761u + 134;
    x ^= step_038(x);
    x ^= step_374(x);
    return x;
}

unsigned step_191(unsigned x)
{
    x = x * 2654435761u + 277;
    return x;
}

unsigned step_201(unsigned x)
{
    x = x * 2654435761u + 178;
    x ^= step_253(x);
    return x;
}

unsigned step_211(unsigned x)
{
    x = x * 2654435761u + 9;
    x ^= step_355(x);
    x ^= step_336(x);
    x ^= step_016(x);
    x ^= step_032(x);
    return x;
}

unsigned step_221(unsigned x)
{
    x = x * 2654435761u + 17;
    x ^= step_121(x);
    x ^= step_387(x);
    x ^= step_097(x);
    x ^= step_372(x);
    return x;
}

unsigned step_231(unsigned x)
{
    x = x * 2654435761u + 244;
    x ^= step_259(x);
    return x;
}

unsigned step_241(unsigned x)
{
    x = x * 2654435761u + 193;
    x ^= step_160(x);
    return x;
}

unsigned step_251(unsigned x)
{
    x = x * 2654435761u + 6;
    x ^= step_235(x);
    x ^= step_053(x);
    x ^= step_023(x);
    x ^= step_281(x);
    return x;
}

unsigned step_261(unsigned x)
{
    x = x * 2654435761u + 127;
    x ^= step_373(x);
    return x;
}

unsigned step_271(unsigned x)
{
    x = x * 2654435761u + 130;
    return x;
}

unsigned step_281(unsigned x)
{
    x = x * 2654435761u + 11;
    x ^= step_200(x);
    x ^= step_196(x);
    return x;
}

unsigned step_291(unsigned x)
{
    x = x * 2654435761u + 39;
    x ^= step_212(x);
    x ^= step_322(x);
    x ^= step_157(x);
    x ^= step_101(x);
    return x;
}

unsigned step_301(unsigned x)
{
    x = x * 2654435761u + 312;
    x ^= step_006(x);
    return x;
}

unsigned step_311(unsigned x)
{
    x = x * 2654435761u + 152;
    x ^= step_076(x);
    return x;
}

unsigned step_321(unsigned x)
{
    x = x * 2654435761u + 349;
    return x;
}

unsigned step_331(unsigned x)
{
    x = x * 2654435761u + 100;
    return x;
}

unsigned step_341(unsigned x)
{
    x = x * 2654435761u + 324;
    x ^= step_208(x);
    return x;
}

unsigned step_351(unsigned x)
{
    x = x * 2654435761u + 90;
    return x;
}

unsigned step_361(unsigned x)
{
    x = x * 2654435761u + 397;
    return x;
}

unsigned step_371(unsigned x)
{
    x = x * 2654435761u + 133;
    x ^= step_105(x);
    x ^= step_103(x);
    return x;
}

unsigned step_381(unsigned x)
{
    x = x * 2654435761u + 227;
    return x;
}

unsigned step_391(unsigned x)
{
    x = x * 2654435761u + 212;
    return x;
}
