/* Known answers of base/number.h and base/utf8.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

static int failures;

static void same(const char *got, const char *expected)
{
    if (strcmp(got, expected) == 0)
        return;
    fprintf(stderr, "expected \"%s\", got \"%s\"\n", expected, got);
    failures++;
}

static void test_ratio(void)
{
    same(number_ratio(7.34).text, "7.3x");
    same(number_bytes(0).text, "0 B");
    same(number_bytes(999).text, "999 B");
    same(number_bytes(3221225472).text, "3.22 GB");
    same(number_bytes(999600).text, "1.00 MB");
    same(number_ratio(99.96).text, "100x");
    same(number_ratio(1467.4).text, "1,467x");
}

static void test_ns(void)
{
    same(number_ns(0, true).text, "0 ns");
    same(number_ns(5, true).text, "5.00 ns");
    same(number_ns(289e3, true).text, "289 \u00b5s");
    same(number_ns(289e3, false).text, "289 us");
    same(number_ns(2.1e6, true).text, "2.10 ms");
    same(number_ns(-8200, false).text, "-8.20 us");
    same(number_ns(999.4, false).text, "999 ns");
    same(number_ns(999.6, false).text, "1.00 us");
    same(number_ns(999499, false).text, "999 us");
    same(number_ns(999600, false).text, "1.00 ms");
    same(number_ns(9.996e6, false).text, "10.0 ms");
    same(number_ns(3.6e12, false).text, "3600 s");
    same(number_ns(NAN, true).text, "-");
    same(number_ns(INFINITY, true).text, "-");
}

static void test_percent(void)
{
    same(number_percent(0.7183).text, "71.8 %");
    same(number_percent(-0.0001).text, "0.0 %");
    same(number_percent(1).text, "100.0 %");
    same(number_percent(-12.345).text, "-1234 %");
    same(number_percent(NAN).text, "-");
    same(number_points(-0.0004).text, "0.0");
    same(number_points(0.7183).text, "71.8");
    same(number_percent_short(0.7183).text, "72 %");
    same(number_percent_short(0.0123).text, "1.2 %");
    same(number_percent_short(0.0996).text, "10 %");
    same(number_percent_short(0.9968).text, "99.7 %");
    same(number_percent_short(0.9998).text, "100 %");
    same(number_percent_short(0.9949).text, "99 %");
}

static void test_whole(void)
{
    same(number_count(0).text, "0");
    same(number_count(999).text, "999");
    same(number_count(1000).text, "1,000");
    same(number_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
    same(number_exact(0).text, "0");
    same(number_exact(-1).text, "-1");
    __int128 least = (__int128)1 << 126;
    least = -least - least;
    same(number_exact(least).text, "-170141183460469231731687303715884105728");
    same(number_exact(-(least + 1)).text, "170141183460469231731687303715884105727");
}

static void test_fit(const char *text, size_t columns, bool utf8, const char *expected)
{
    struct str out = {0};
    utf8_fit(&out, text, columns, utf8);
    same(str_text(&out), expected);
    str_release(&out);
}

static void test_fits(void)
{
    test_fit("a\xef\xbf\xbe"
             "b\xef\xbf\xbf",
             9, true, "a\ufffdb\ufffd"); /* U+FFFE, U+FFFF */
    test_fit("lock_wait", 9, true, "lock_wait");
    test_fit("lock_wait", 8, true, "lock\u2026ait");
    test_fit("lock_wait", 8, false, "lock..it");
    test_fit("lock_wait", 1, true, "");
    test_fit("lock_wait", 0, false, "");
    test_fit("\u65e5\u672c\u8a9e", 6, true, "\u65e5\u672c\u8a9e");
    test_fit("\u65e5\u672c\u8a9e", 5, true, "\u65e5\u2026\u8a9e");
    test_fit("gr\u00f6\u00dfe", 9, false, "gr??e");
    test_fit("a\xff\xc3(b", 9, true, "a\ufffd\ufffd(b");
    test_fit("a\x1b[31m\nb", 9, false, "a?[31m?b");
    test_fit("\xed\xa0\x80", 9, false, "???");
    test_fit("\xf4\x90\x80\x80\xc0\xaf", 9, false, "??????");
    test_fit("\xe2\x80\xae"
             "x",
             9, true, "\ufffdx");
    test_fit("\xe2\x82", 9, false, "??");
}

static void test_plural(void)
{
    if (*number_plural(1) || *number_plural(0) != 's' || *number_plural(2) != 's') {
        fprintf(stderr, "1 function, 0 and 2 functions\n");
        failures++;
    }
}

int main(void)
{
    test_plural();
    test_ns();
    test_ratio();
    test_percent();
    test_whole();
    test_fits();
    return failures != 0;
}
