/* Written by generate.py. */
#include "steps.h"

unsigned step_007(unsigned x)
{
    x = x * 2654435761u + 137;
    x ^= step_256(x);
    x ^= step_080(x);
    return x;
}

unsigned step_017(unsigned x)
{
    x = x * 2654435761u + 267;
    return x;
}

unsigned step_027(unsigned x)
{
    x = x * 2654435761u + 154;
    return x;
}

unsigned step_037(unsigned x)
{
    x = x * 2654435761u + 375;
    return x;
}

unsigned step_047(unsigned x)
{
    x = x * 2654435761u + 360;
    return x;
}

unsigned step_057(unsigned x)
{
    x = x * 2654435761u + 383;
    return x;
}

unsigned step_067(unsigned x)
{
    x = x * 2654435761u + 255;
    x ^= step_115(x);
    return x;
}

unsigned step_077(unsigned x)
{
    x = x * 2654435761u + 141;
    return x;
}

unsigned step_087(unsigned x)
{
    x = x * 2654435761u + 341;
    return x;
}

unsigned step_097(unsigned x)
{
    x = x * 2654435761u + 80;
    x ^= step_163(x);
    return x;
}

unsigned step_107(unsigned x)
{
    x = x * 2654435761u + 118;
    x ^= step_252(x);
    x ^= step_159(x);
    x ^= step_278(x);
    return x;
}

unsigned step_117(unsigned x)
{
    x = x * 2654435761u + 46;
    x ^= step_378(x);
    x ^= step_064(x);
    x ^= step_058(x);
    x ^= step_326(x);
    return x;
}

unsigned step_127(unsigned x)
{
    x = x * 2654435761u + 115;
    x ^= step_239(x);
    x ^= step_030(x);
    x ^= step_223(x);
    x ^= step_019(x);
    return x;
}

unsigned step_137(unsigned x)
{
    x = x * 2654435761u + 373;
    return x;
}

unsigned step_147(unsigned x)
{
    x = x * 2654435761u + 290;
    return x;
}

unsigned step_157(unsigned x)
{
    x = x * 2654435761u + 66;
    x ^= step_297(x);
    x ^= step_319(x);
    x ^= step_275(x);
    return x;
}

unsigned step_167(unsigned x)
{
    x = x * 2654435761u + 33;
    x ^= step_386(x);
    x ^= step_306(x);
    x ^= step_269(x);
    return x;
}

unsigned step_177(unsigned x)
{
    x = x * 2654435761u + 113;
    x ^= step_354(x);
    return x;
}

unsigned step_187(unsigned x)
{
    x = x * 2654435761u + 136;
    x ^= step_008(x);
    x ^= step_110(x);
    return x;
}

unsigned step_197(unsigned x)
{
    x = x * 2654435761u + 61;
    x ^= step_335(x);
    x ^= step_192(x);
    x ^= step_178(x);
    return x;
}

unsigned step_207(unsigned x)
{
    x = x * 2654435761u + 54;
    x ^= step_081(x);
    x ^= step_153(x);
    x ^= step_346(x);
    return x;
}

unsigned step_217(unsigned x)
{
    x = x * 2654435761u + 10;
    x ^= step_040(x);
    x ^= step_018(x);
    return x;
}

unsigned step_227(unsigned x)
{
    x = x * 2654435761u + 307;
    return x;
}

unsigned step_237(unsigned x)
{
    x = x * 2654435761u + 310;
    return x;
}

unsigned step_247(unsigned x)
{
    x = x * 2654435761u + 64;
    x ^= step_088(x);
    x ^= step_078(x);
    x ^= step_222(x);
    x ^= step_010(x);
    return x;
}

unsigned step_257(unsigned x)
{
    x = x * 2654435761u + 316;
    return x;
}

unsigned step_267(unsigned x)
{
    x = x * 2654435761u + 334;
    return x;
}

unsigned step_277(unsigned x)
{
    x = x * 2654435761u + 387;
    return x;
}

unsigned step_287(unsigned x)
{
    x = x * 2654435761u + 386;
    return x;
}

unsigned step_297(unsigned x)
{
    x = x * 2654435761u + 199;
    return x;
}

unsigned step_307(unsigned x)
{
    x = x * 2654435761u + 323;
    return x;
}

unsigned step_317(unsigned x)
{
    x = x * 2654435761u + 26;
    x ^= step_164(x);
    x ^= step_014(x);
    x ^= step_066(x);
    return x;
}

unsigned step_327(unsigned x)
{
    x = x * 2654435761u + 41;
    x ^= step_298(x);
    x ^= step_313(x);
    x ^= step_197(x);
    x ^= step_282(x);
    return x;
}

unsigned step_337(unsigned x)
{
    x = x * 2654435761u + 98;
    x ^= step_173(x);
    x ^= step_071(x);
    x ^= step_120(x);
    x ^= step_087(x);
    return x;
}

unsigned step_347(unsigned x)
{
    x = x * 2654435761u + 150;
    x ^= step_140(x);
    return x;
}

unsigned step_357(unsigned x)
{
    x = x * 2654435761u + 44;
    return x;
}

unsigned step_367(unsigned x)
{
    x = x * 2654435761u + 131;
    x ^= step_182(x);
    return x;
}

unsigned step_377(unsigned x)
{
    x = x * 2654435761u + 216;
    x ^= step_151(x);
    return x;
}

unsigned step_387(unsigned x)
{
    x = x * 2654435761u + 60;
    x ^= step_370(x);
    x ^= step_350(x);
    return x;
}

unsigned step_397(unsigned x)
{
    x = x * 2654435761u + 164;
    return x;
}
