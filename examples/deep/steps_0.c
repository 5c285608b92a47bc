/* Written by generate.py. */
#include "steps.h"

unsigned handle_request(unsigned x)
{
    x = x * 2654435761u + 0;
    x ^= step_158(x);
    x ^= step_141(x);
    x ^= step_109(x);
    x ^= step_004(x);
    return x;
}

unsigned step_010(unsigned x)
{
    x = x * 2654435761u + 366;
    return x;
}

unsigned step_020(unsigned x)
{
    x = x * 2654435761u + 153;
    return x;
}

unsigned step_030(unsigned x)
{
    x = x * 2654435761u + 124;
    x ^= step_243(x);
    return x;
}

unsigned step_040(unsigned x)
{
    x = x * 2654435761u + 226;
    return x;
}

unsigned step_050(unsigned x)
{
    x = x * 2654435761u + 256;
    return x;
}

unsigned step_060(unsigned x)
{
    x = x * 2654435761u + 393;
    return x;
}

unsigned step_070(unsigned x)
{
    x = x * 2654435761u + 301;
    return x;
}

unsigned step_080(unsigned x)
{
    x = x * 2654435761u + 187;
    x ^= step_135(x);
    return x;
}

unsigned step_090(unsigned x)
{
    x = x * 2654435761u + 293;
    return x;
}

unsigned step_100(unsigned x)
{
    x = x * 2654435761u + 217;
    x ^= step_017(x);
    return x;
}

unsigned step_110(unsigned x)
{
    x = x * 2654435761u + 201;
    x ^= step_106(x);
    x ^= step_382(x);
    return x;
}

unsigned step_120(unsigned x)
{
    x = x * 2654435761u + 294;
    x ^= step_254(x);
    return x;
}

unsigned step_130(unsigned x)
{
    x = x * 2654435761u + 3;
    x ^= step_048(x);
    x ^= step_149(x);
    x ^= step_211(x);
    x ^= step_146(x);
    return x;
}

unsigned step_140(unsigned x)
{
    x = x * 2654435761u + 390;
    return x;
}

unsigned step_150(unsigned x)
{
    x = x * 2654435761u + 70;
    return x;
}

unsigned step_160(unsigned x)
{
    x = x * 2654435761u + 207;
    x ^= step_333(x);
    return x;
}

unsigned step_170(unsigned x)
{
    x = x * 2654435761u + 333;
    return x;
}

unsigned step_180(unsigned x)
{
    x = x * 2654435761u + 285;
    return x;
}

unsigned step_190(unsigned x)
{
    x = x * 2654435761u + 283;
    return x;
}

unsigned step_200(unsigned x)
{
    x = x * 2654435761u + 157;
    return x;
}

unsigned step_210(unsigned x)
{
    x = x * 2654435761u + 28;
    x ^= step_274(x);
    x ^= step_395(x);
    x ^= step_127(x);
    return x;
}

unsigned step_220(unsigned x)
{
    x = x * 2654435761u + 191;
    x ^= step_170(x);
    x ^= step_011(x);
    return x;
}

unsigned step_230(unsigned x)
{
    x = x * 2654435761u + 14;
    x ^= step_167(x);
    x ^= step_063(x);
    x ^= step_186(x);
    return x;
}

unsigned step_240(unsigned x)
{
    x = x * 2654435761u + 129;
    x ^= step_134(x);
    return x;
}

unsigned step_250(unsigned x)
{
    x = x * 2654435761u + 379;
    return x;
}

unsigned step_260(unsigned x)
{
    x = x * 2654435761u + 302;
    return x;
}

unsigned step_270(unsigned x)
{
    x = x * 2654435761u + 369;
    return x;
}

unsigned step_280(unsigned x)
{
    x = x * 2654435761u + 92;
    x ^= step_209(x);
    x ^= step_133(x);
    return x;
}

unsigned step_290(unsigned x)
{
    x = x * 2654435761u + 5;
    x ^= step_251(x);
    x ^= step_217(x);
    x ^= step_034(x);
    x ^= step_086(x);
    return x;
}

unsigned step_300(unsigned x)
{
    x = x * 2654435761u + 179;
    return x;
}

unsigned step_310(unsigned x)
{
    x = x * 2654435761u + 84;
    x ^= step_308(x);
    x ^= step_271(x);
    return x;
}

unsigned step_320(unsigned x)
{
    x = x * 2654435761u + 377;
    return x;
}

unsigned step_330(unsigned x)
{
    x = x * 2654435761u + 229;
    return x;
}

unsigned step_340(unsigned x)
{
    x = x * 2654435761u + 74;
    x ^= step_050(x);
    x ^= step_280(x);
    return x;
}

unsigned step_350(unsigned x)
{
    x = x * 2654435761u + 77;
    x ^= step_144(x);
    x ^= step_343(x);
    x ^= step_074(x);
    return x;
}

unsigned step_360(unsigned x)
{
    x = x * 2654435761u + 97;
    x ^= step_083(x);
    x ^= step_330(x);
    return x;
}

unsigned step_370(unsigned x)
{
    x = x * 2654435761u + 171;
    return x;
}

unsigned step_380(unsigned x)
{
    x = x * 2654435761u + 114;
    return x;
}

unsigned step_390(unsigned x)
{
    x = x * 2654435761u + 59;
    x ^= step_052(x);
    x ^= step_177(x);
    return x;
}
