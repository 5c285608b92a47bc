/* Written by generate.py. */
#include "steps.h"

unsigned step_005(unsigned x)
{
    x = x * 2654435761u + 391;
    return x;
}

unsigned step_015(unsigned x)
{
    x = x * 2654435761u + 260;
    x ^= step_265(x);
    return x;
}

unsigned step_025(unsigned x)
{
    x = x * 2654435761u + 308;
    return x;
}

unsigned step_035(unsigned x)
{
    x = x * 2654435761u + 273;
    x ^= step_180(x);
    return x;
}

unsigned step_045(unsigned x)
{
    x = x * 2654435761u + 376;
    x ^= step_194(x);
    return x;
}

unsigned step_055(unsigned x)
{
    x = x * 2654435761u + 325;
    return x;
}

unsigned step_065(unsigned x)
{
    x = x * 2654435761u + 143;
    x ^= step_383(x);
    return x;
}

unsigned step_075(unsigned x)
{
    x = x * 2654435761u + 184;
    return x;
}

unsigned step_085(unsigned x)
{
    x = x * 2654435761u + 225;
    return x;
}

unsigned step_095(unsigned x)
{
    x = x * 2654435761u + 345;
    return x;
}

unsigned step_105(unsigned x)
{
    x = x * 2654435761u + 238;
    x ^= step_272(x);
    return x;
}

unsigned step_115(unsigned x)
{
    x = x * 2654435761u + 309;
    return x;
}

unsigned step_125(unsigned x)
{
    x = x * 2654435761u + 399;
    return x;
}

unsigned step_135(unsigned x)
{
    x = x * 2654435761u + 254;
    return x;
}

unsigned step_145(unsigned x)
{
    x = x * 2654435761u + 206;
    x ^= step_260(x);
    x ^= step_214(x);
    return x;
}

unsigned step_155(unsigned x)
{
    x = x * 2654435761u + 286;
    return x;
}

unsigned step_165(unsigned x)
{
    x = x * 2654435761u + 196;
    x ^= step_299(x);
    return x;
}

unsigned step_175(unsigned x)
{
    x = x * 2654435761u + 151;
    x ^= step_388(x);
    x ^= step_368(x);
    x ^= step_311(x);
    return x;
}

unsigned step_185(unsigned x)
{
    x = x * 2654435761u + 241;
    return x;
}

unsigned step_195(unsigned x)
{
    x = x * 2654435761u + 276;
    return x;
}

unsigned step_205(unsigned x)
{
    x = x * 2654435761u + 396;
    return x;
}

unsigned step_215(unsigned x)
{
    x = x * 2654435761u + 344;
    x ^= step_099(x);
    return x;
}

unsigned step_225(unsigned x)
{
    x = x * 2654435761u + 380;
    return x;
}

unsigned step_235(unsigned x)
{
    x = x * 2654435761u + 7;
    x ^= flush_journal(x);
    x ^= step_049(x);
    x ^= step_363(x);
    x ^= step_073(x);
    return x;
}

unsigned step_245(unsigned x)
{
    x = x * 2654435761u + 315;
    return x;
}

unsigned step_255(unsigned x)
{
    x = x * 2654435761u + 160;
    return x;
}

unsigned step_265(unsigned x)
{
    x = x * 2654435761u + 266;
    x ^= step_136(x);
    return x;
}

unsigned step_275(unsigned x)
{
    x = x * 2654435761u + 67;
    return x;
}

unsigned step_285(unsigned x)
{
    x = x * 2654435761u + 116;
    x ^= step_255(x);
    return x;
}

unsigned step_295(unsigned x)
{
    x = x * 2654435761u + 149;
    x ^= step_353(x);
    return x;
}

unsigned step_305(unsigned x)
{
    x = x * 2654435761u + 195;
    return x;
}

unsigned step_315(unsigned x)
{
    x = x * 2654435761u + 135;
    x ^= step_046(x);
    x ^= step_312(x);
    return x;
}

unsigned step_325(unsigned x)
{
    x = x * 2654435761u + 264;
    x ^= step_184(x);
    return x;
}

unsigned step_335(unsigned x)
{
    x = x * 2654435761u + 172;
    x ^= step_195(x);
    return x;
}

unsigned step_345(unsigned x)
{
    x = x * 2654435761u + 367;
    return x;
}

unsigned step_355(unsigned x)
{
    x = x * 2654435761u + 205;
    x ^= step_002(x);
    return x;
}

unsigned step_365(unsigned x)
{
    x = x * 2654435761u + 112;
    x ^= step_305(x);
    return x;
}

unsigned step_375(unsigned x)
{
    x = x * 2654435761u + 99;
    x ^= step_283(x);
    x ^= step_384(x);
    return x;
}

unsigned step_385(unsigned x)
{
    x = x * 2654435761u + 194;
    x ^= step_156(x);
    x ^= step_213(x);
    return x;
}

unsigned step_395(unsigned x)
{
    x = x * 2654435761u + 32;
    x ^= step_176(x);
    x ^= step_327(x);
    x ^= step_107(x);
    x ^= step_389(x);
    return x;
}
