/* Written by generate.py. */
#include "steps.h"

unsigned step_008(unsigned x)
{
    x = x * 2654435761u + 272;
    x ^= step_307(x);
    return x;
}

unsigned step_018(unsigned x)
{
    x = x * 2654435761u + 104;
    return x;
}

unsigned step_028(unsigned x)
{
    x = x * 2654435761u + 125;
    return x;
}

unsigned step_038(unsigned x)
{
    x = x * 2654435761u + 211;
    return x;
}

unsigned step_048(unsigned x)
{
    x = x * 2654435761u + 4;
    x ^= step_117(x);
    x ^= step_221(x);
    x ^= step_290(x);
    return x;
}

unsigned step_058(unsigned x)
{
    x = x * 2654435761u + 58;
    x ^= step_041(x);
    return x;
}

unsigned step_068(unsigned x)
{
    x = x * 2654435761u + 282;
    return x;
}

unsigned step_078(unsigned x)
{
    x = x * 2654435761u + 73;
    x ^= step_294(x);
    x ^= step_242(x);
    x ^= step_122(x);
    x ^= step_262(x);
    return x;
}

unsigned step_088(unsigned x)
{
    x = x * 2654435761u + 340;
    return x;
}

unsigned step_098(unsigned x)
{
    x = x * 2654435761u + 122;
    x ^= step_258(x);
    x ^= step_045(x);
    x ^= step_232(x);
    return x;
}

unsigned step_108(unsigned x)
{
    x = x * 2654435761u + 372;
    return x;
}

unsigned step_118(unsigned x)
{
    x = x * 2654435761u + 27;
    x ^= step_266(x);
    return x;
}

unsigned step_128(unsigned x)
{
    x = x * 2654435761u + 21;
    x ^= step_098(x);
    x ^= step_318(x);
    x ^= step_380(x);
    return x;
}

unsigned step_138(unsigned x)
{
    x = x * 2654435761u + 378;
    return x;
}

unsigned step_148(unsigned x)
{
    x = x * 2654435761u + 389;
    return x;
}

unsigned step_158(unsigned x)
{
    x = x * 2654435761u + 1;
    x ^= step_288(x);
    x ^= step_339(x);
    x ^= step_375(x);
    x ^= step_039(x);
    return x;
}

unsigned step_168(unsigned x)
{
    x = x * 2654435761u + 53;
    x ^= step_261(x);
    return x;
}

unsigned step_178(unsigned x)
{
    x = x * 2654435761u + 156;
    x ^= step_324(x);
    x ^= step_215(x);
    return x;
}

unsigned step_188(unsigned x)
{
    x = x * 2654435761u + 176;
    x ^= step_124(x);
    x ^= step_241(x);
    x ^= step_362(x);
    return x;
}

unsigned step_198(unsigned x)
{
    x = x * 2654435761u + 24;
    x ^= step_224(x);
    x ^= step_179(x);
    return x;
}

unsigned step_208(unsigned x)
{
    x = x * 2654435761u + 381;
    return x;
}

unsigned step_218(unsigned x)
{
    x = x * 2654435761u + 162;
    x ^= step_190(x);
    return x;
}

unsigned step_228(unsigned x)
{
    x = x * 2654435761u + 138;
    x ^= step_165(x);
    return x;
}

unsigned step_238(unsigned x)
{
    x = x * 2654435761u + 262;
    x ^= step_349(x);
    return x;
}

unsigned step_248(unsigned x)
{
    x = x * 2654435761u + 304;
    return x;
}

unsigned step_258(unsigned x)
{
    x = x * 2654435761u + 128;
    x ^= step_276(x);
    x ^= step_245(x);
    return x;
}

unsigned step_268(unsigned x)
{
    x = x * 2654435761u + 219;
    x ^= step_089(x);
    x ^= step_096(x);
    return x;
}

unsigned step_278(unsigned x)
{
    x = x * 2654435761u + 240;
    return x;
}

unsigned step_288(unsigned x)
{
    x = x * 2654435761u + 2;
    x ^= step_132(x);
    x ^= step_130(x);
    x ^= step_154(x);
    x ^= step_174(x);
    return x;
}

unsigned step_298(unsigned x)
{
    x = x * 2654435761u + 103;
    x ^= step_031(x);
    x ^= step_067(x);
    return x;
}

unsigned step_308(unsigned x)
{
    x = x * 2654435761u + 353;
    return x;
}

unsigned step_318(unsigned x)
{
    x = x * 2654435761u + 22;
    x ^= step_323(x);
    x ^= step_183(x);
    x ^= step_284(x);
    return x;
}

unsigned step_328(unsigned x)
{
    x = x * 2654435761u + 317;
    return x;
}

unsigned step_338(unsigned x)
{
    x = x * 2654435761u + 395;
    return x;
}

unsigned step_348(unsigned x)
{
    x = x * 2654435761u + 110;
    x ^= step_246(x);
    return x;
}

unsigned step_358(unsigned x)
{
    x = x * 2654435761u + 102;
    return x;
}

unsigned step_368(unsigned x)
{
    x = x * 2654435761u + 167;
    x ^= step_169(x);
    x ^= step_391(x);
    x ^= step_237(x);
    return x;
}

unsigned step_378(unsigned x)
{
    x = x * 2654435761u + 51;
    x ^= step_175(x);
    x ^= step_206(x);
    x ^= step_360(x);
    x ^= step_344(x);
    return x;
}

unsigned step_388(unsigned x)
{
    x = x * 2654435761u + 365;
    return x;
}

unsigned step_398(unsigned x)
{
    x = x * 2654435761u + 25;
    x ^= step_366(x);
    x ^= step_168(x);
    x ^= step_181(x);
    x ^= step_202(x);
    return x;
}
