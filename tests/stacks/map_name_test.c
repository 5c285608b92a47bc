/* symbol/map_name.h: what the maps alone say of an address. */
#include "check.h"

#include <string.h>

#include "symbol/map_name.h"

static const char maps[] =
    "00400000-00401000 r--p 00000000 08:01 7                    /srv/server\n"
    "00401000-00402000 r-xp 00001000 08:01 7                    /srv/some server (deleted)\n"
    "7f0000000000-7f0000001000 r-xp 00000000 00:00 0 \n"
    "7f0000001000-7f0000002000 rw-p 00000000 00:00 0 \n"
    "7f0000002000-7f0000003000 r-xp 00000000 08:01 9            /usr/lib/libz.so.1\n"
    "7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0            [vdso]\n"
    "cut off";

static bool is(uint64_t address, const char *expected)
{
    struct str name = {0};
    map_name(maps, address, &name);
    bool same = strcmp(str_text(&name), expected) == 0;
    str_release(&name);
    return same;
}

int main(void)
{
    CHECK(is(0x401fff, "some server"));
    CHECK(is(0x7f0000000010, "[generated code]"));
    CHECK(is(0x7f0000002000, "libz.so.1"));
    CHECK(is(0x7ffd00001000, "[vdso]"));
    CHECK(is(0x400010, "") && is(0x7f0000001000, "") && is(0x402000, "") && is(0, ""));
    return CHECK_DONE();
}
