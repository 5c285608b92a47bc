/* Written by generate.py. */
#include "steps.h"

unsigned step_009(unsigned x)
{
    x = x * 2654435761u + 368;
    return x;
}

unsigned step_019(unsigned x)
{
    x = x * 2654435761u + 246;
    return x;
}

unsigned step_029(unsigned x)
{
    x = x * 2654435761u + 250;
    return x;
}

unsigned step_039(unsigned x)
{
    x = x * 2654435761u + 37;
    x ^= step_390(x);
    x ^= step_371(x);
    x ^= step_337(x);
    x ^= step_341(x);
    return x;
}

unsigned step_049(unsigned x)
{
    x = x * 2654435761u + 45;
    x ^= step_331(x);
    x ^= step_332(x);
    return x;
}

unsigned step_059(unsigned x)
{
    x = x * 2654435761u + 355;
    return x;
}

unsigned step_069(unsigned x)
{
    x = x * 2654435761u + 173;
    return x;
}

unsigned step_079(unsigned x)
{
    x = x * 2654435761u + 346;
    return x;
}

unsigned step_089(unsigned x)
{
    x = x * 2654435761u + 350;
    return x;
}

unsigned step_099(unsigned x)
{
    x = x * 2654435761u + 364;
    return x;
}

unsigned step_109(unsigned x)
{
    x = x * 2654435761u + 15;
    x ^= step_317(x);
    x ^= step_198(x);
    x ^= step_379(x);
    return x;
}

unsigned step_119(unsigned x)
{
    x = x * 2654435761u + 182;
    x ^= step_304(x);
    x ^= step_377(x);
    return x;
}

unsigned step_129(unsigned x)
{
    x = x * 2654435761u + 165;
    return x;
}

unsigned step_139(unsigned x)
{
    x = x * 2654435761u + 253;
    return x;
}

unsigned step_149(unsigned x)
{
    x = x * 2654435761u + 52;
    x ^= step_203(x);
    x ^= step_205(x);
    x ^= step_226(x);
    return x;
}

unsigned step_159(unsigned x)
{
    x = x * 2654435761u + 252;
    return x;
}

unsigned step_169(unsigned x)
{
    x = x * 2654435761u + 221;
    return x;
}

unsigned step_179(unsigned x)
{
    x = x * 2654435761u + 155;
    x ^= step_352(x);
    return x;
}

unsigned step_189(unsigned x)
{
    x = x * 2654435761u + 261;
    return x;
}

unsigned step_199(unsigned x)
{
    x = x * 2654435761u + 335;
    return x;
}

unsigned step_209(unsigned x)
{
    x = x * 2654435761u + 280;
    return x;
}

unsigned step_219(unsigned x)
{
    x = x * 2654435761u + 91;
    x ^= step_199(x);
    return x;
}

unsigned step_229(unsigned x)
{
    x = x * 2654435761u + 306;
    return x;
}

unsigned step_239(unsigned x)
{
    x = x * 2654435761u + 210;
    return x;
}

unsigned step_249(unsigned x)
{
    x = x * 2654435761u + 55;
    x ^= step_119(x);
    return x;
}

unsigned step_259(unsigned x)
{
    x = x * 2654435761u + 342;
    return x;
}

unsigned step_269(unsigned x)
{
    x = x * 2654435761u + 279;
    return x;
}

unsigned step_279(unsigned x)
{
    x = x * 2654435761u + 295;
    x ^= step_001(x);
    return x;
}

unsigned step_289(unsigned x)
{
    x = x * 2654435761u + 374;
    return x;
}

unsigned step_299(unsigned x)
{
    x = x * 2654435761u + 259;
    return x;
}

unsigned step_309(unsigned x)
{
    x = x * 2654435761u + 385;
    return x;
}

unsigned step_319(unsigned x)
{
    x = x * 2654435761u + 329;
    return x;
}

unsigned step_329(unsigned x)
{
    x = x * 2654435761u + 170;
    x ^= step_225(x);
    return x;
}

unsigned step_339(unsigned x)
{
    x = x * 2654435761u + 16;
    x ^= step_329(x);
    x ^= step_398(x);
    x ^= step_364(x);
    x ^= step_210(x);
    return x;
}

unsigned step_349(unsigned x)
{
    x = x * 2654435761u + 275;
    return x;
}

unsigned step_359(unsigned x)
{
    x = x * 2654435761u + 63;
    x ^= step_315(x);
    x ^= step_102(x);
    x ^= step_204(x);
    x ^= step_228(x);
    return x;
}

unsigned step_369(unsigned x)
{
    x = x * 2654435761u + 314;
    return x;
}

unsigned step_379(unsigned x)
{
    x = x * 2654435761u + 142;
    return x;
}

unsigned step_389(unsigned x)
{
    x = x * 2654435761u + 230;
    x ^= step_325(x);
    return x;
}
