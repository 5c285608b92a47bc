/* Written by generate.py. */
#include "steps.h"

unsigned step_002(unsigned x)
{
    x = x * 2654435761u + 224;
    return x;
}

unsigned step_012(unsigned x)
{
    x = x * 2654435761u + 96;
    x ^= step_365(x);
    x ^= step_381(x);
    x ^= step_055(x);
    x ^= step_285(x);
    return x;
}

unsigned step_022(unsigned x)
{
    x = x * 2654435761u + 108;
    x ^= step_347(x);
    return x;
}

unsigned step_032(unsigned x)
{
    x = x * 2654435761u + 43;
    x ^= step_075(x);
    x ^= step_108(x);
    x ^= step_114(x);
    return x;
}

unsigned step_042(unsigned x)
{
    x = x * 2654435761u + 300;
    return x;
}

unsigned step_052(unsigned x)
{
    x = x * 2654435761u + 343;
    return x;
}

unsigned step_062(unsigned x)
{
    x = x * 2654435761u + 107;
    x ^= step_003(x);
    x ^= step_024(x);
    return x;
}

unsigned step_072(unsigned x)
{
    x = x * 2654435761u + 203;
    x ^= step_345(x);
    x ^= step_147(x);
    return x;
}

unsigned step_082(unsigned x)
{
    x = x * 2654435761u + 354;
    return x;
}

unsigned step_092(unsigned x)
{
    x = x * 2654435761u + 223;
    x ^= step_138(x);
    x ^= step_148(x);
    return x;
}

unsigned step_102(unsigned x)
{
    x = x * 2654435761u + 321;
    return x;
}

unsigned step_112(unsigned x)
{
    x = x * 2654435761u + 311;
    return x;
}

unsigned step_122(unsigned x)
{
    x = x * 2654435761u + 204;
    x ^= step_250(x);
    return x;
}

unsigned step_132(unsigned x)
{
    x = x * 2654435761u + 12;
    x ^= step_230(x);
    return x;
}

unsigned step_142(unsigned x)
{
    x = x * 2654435761u + 62;
    x ^= step_348(x);
    x ^= step_340(x);
    return x;
}

unsigned step_152(unsigned x)
{
    x = x * 2654435761u + 297;
    return x;
}

unsigned step_162(unsigned x)
{
    x = x * 2654435761u + 215;
    x ^= step_079(x);
    return x;
}

unsigned step_172(unsigned x)
{
    x = x * 2654435761u + 371;
    return x;
}

unsigned step_182(unsigned x)
{
    x = x * 2654435761u + 132;
    x ^= step_033(x);
    return x;
}

unsigned step_192(unsigned x)
{
    x = x * 2654435761u + 281;
    x ^= step_334(x);
    x ^= step_059(x);
    x ^= step_070(x);
    return x;
}

unsigned step_202(unsigned x)
{
    x = x * 2654435761u + 88;
    return x;
}

unsigned step_212(unsigned x)
{
    x = x * 2654435761u + 202;
    x ^= step_091(x);
    return x;
}

unsigned step_222(unsigned x)
{
    x = x * 2654435761u + 139;
    return x;
}

unsigned step_232(unsigned x)
{
    x = x * 2654435761u + 222;
    return x;
}

unsigned step_242(unsigned x)
{
    x = x * 2654435761u + 330;
    return x;
}

unsigned step_252(unsigned x)
{
    x = x * 2654435761u + 305;
    x ^= step_227(x);
    return x;
}

unsigned step_262(unsigned x)
{
    x = x * 2654435761u + 85;
    x ^= step_187(x);
    x ^= step_229(x);
    x ^= step_248(x);
    return x;
}

unsigned step_272(unsigned x)
{
    x = x * 2654435761u + 336;
    return x;
}

unsigned step_282(unsigned x)
{
    x = x * 2654435761u + 48;
    x ^= step_026(x);
    return x;
}

unsigned step_292(unsigned x)
{
    x = x * 2654435761u + 218;
    x ^= step_189(x);
    return x;
}

unsigned step_302(unsigned x)
{
    x = x * 2654435761u + 190;
    x ^= step_145(x);
    return x;
}

unsigned step_312(unsigned x)
{
    x = x * 2654435761u + 175;
    return x;
}

unsigned step_322(unsigned x)
{
    x = x * 2654435761u + 106;
    x ^= step_047(x);
    x ^= step_069(x);
    x ^= step_054(x);
    x ^= step_111(x);
    return x;
}

unsigned step_332(unsigned x)
{
    x = x * 2654435761u + 188;
    return x;
}

unsigned step_342(unsigned x)
{
    x = x * 2654435761u + 284;
    return x;
}

unsigned step_352(unsigned x)
{
    x = x * 2654435761u + 251;
    x ^= step_126(x);
    x ^= step_056(x);
    return x;
}

unsigned step_362(unsigned x)
{
    x = x * 2654435761u + 358;
    x ^= step_289(x);
    return x;
}

unsigned step_372(unsigned x)
{
    x = x * 2654435761u + 19;
    x ^= step_207(x);
    x ^= step_113(x);
    x ^= step_216(x);
    return x;
}

unsigned step_382(unsigned x)
{
    x = x * 2654435761u + 348;
    return x;
}

unsigned step_392(unsigned x)
{
    x = x * 2654435761u + 197;
    return x;
}
