#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct number UNKNOWN = {"-"};

static struct number digits_grouped(const char *digits, bool negative)
{
    struct number number;
    size_t length = strlen(digits), at = 0;
    if (negative)
        number.text[at++] = '-';
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            number.text[at++] = ',';
        number.text[at++] = digits[i];
    }
    number.text[at] = '\0';
    return number;
}

struct number number_count(uint64_t count)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    return digits_grouped(digits, false);
}

static int decimals_of(double value)
{
    return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

/* A unit is taken from 0.9995 of it on, so that nothing prints as "1000 us". */
struct number number_ns(double ns, bool utf8)
{
    static const struct {
        double ns;
        const char *name, *ascii;
    } units[] = {{1e9, "s", "s"}, {1e6, "ms", "ms"}, {1e3, "\u00b5s", "us"}, {1, "ns", "ns"}};
    if (!isfinite(ns))
        return UNKNOWN;
    if (ns == 0)
        return (struct number){"0 ns"};
    size_t unit = 0;
    while (unit < 3 && fabs(ns) < units[unit].ns * 0.9995)
        unit++;
    double value = fabs(ns) / units[unit].ns;
    struct number number;
    const char *name = utf8 ? units[unit].name : units[unit].ascii;
    const char *format = value < 1e15 ? "%s%.*f %s" : "%s%.*e %s";
    snprintf(number.text, sizeof number.text, format, ns < 0 ? "-" : "", decimals_of(value), value,
             name);
    return number;
}

static struct number percent(double fraction, double whole_from)
{
    double value = fraction * 100;
    if (!isfinite(value))
        return UNKNOWN;
    struct number number;
    int decimals = fabs(value) < whole_from ? 1 : 0;
    if (fabs(value) < 0.05)
        value = 0;
    const char *format = fabs(value) < 1e9 ? "%.*f %%" : "%.*e %%";
    snprintf(number.text, sizeof number.text, format, decimals, value);
    return number;
}

struct number number_percent(double fraction)
{
    return percent(fraction, 999.95);
}

struct number number_points(double fraction)
{
    struct number number = number_percent(fraction);
    number.text[strcspn(number.text, " ")] = '\0';
    return number;
}

struct number number_percent_short(double fraction)
{
    double all_but = fabs(1 - fraction);
    bool nearly_all = all_but < 0.005 && all_but >= NUMBER_LEAST_PERCENT;
    return percent(fraction, nearly_all ? 999.95 : 9.95);
}

struct number number_ratio(double ratio)
{
    struct number number = UNKNOWN;
    if (isfinite(ratio) && fabs(ratio) < 999.5)
        snprintf(number.text, sizeof number.text, fabs(ratio) < 99.95 ? "%.1fx" : "%.0fx", ratio);
    else if (ratio > 0 && ratio < 1e15) {
        number = number_count((uint64_t)round(ratio));
        strcat(number.text, "x");
    }
    return number;
}

struct number number_bytes(uint64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; unit < 4 && value >= 999.5; unit++)
        value /= 1000;
    struct number number;
    snprintf(number.text, sizeof number.text, "%.*f %s", unit ? decimals_of(value) : 0, value,
             units[unit]);
    return number;
}

struct number number_exact(__int128 value)
{
    struct number number;
    char reversed[48];
    size_t count = 0, at = 0;
    unsigned __int128 rest = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    do {
        reversed[count++] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        number.text[at++] = '-';
    while (count > 0)
        number.text[at++] = reversed[--count];
    number.text[at] = '\0';
    return number;
}

const char *number_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}
