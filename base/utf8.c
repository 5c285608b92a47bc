#include "base/utf8.h"

#include <string.h>

struct range {
    uint32_t first, last;
};

static bool in_ranges(const struct range *ranges, size_t count, uint32_t point)
{
    for (size_t i = 0; i < count; i++)
        if (point >= ranges[i].first && point <= ranges[i].last)
            return true;
    return false;
}

#define IN(ranges, point) in_ranges(ranges, sizeof(ranges) / sizeof *(ranges), point)

/* The ranges without width are those of Unicode 15: combining marks of common scripts, joiners,
 * variation selectors. */
static const struct range ZERO[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},
                                    {0x610, 0x61A},   {0x64B, 0x65F},   {0x1AB0, 0x1AFF},
                                    {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x2060, 0x2064},
                                    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xE0100, 0xE01EF}};
static const struct range WIDE[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},  {0xA960, 0xA97C}, {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},  {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
/* The unprintable ranges are controls, line and paragraph separators, bidirectional overrides, the
 * byte order mark, what is no character (which XML forbids). */
static const struct range UNPRINTABLE[] = {
    {0x01, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},       {0x200E, 0x200F},
    {0x2028, 0x202E}, {0x2066, 0x206F}, {0xFEFF, 0xFEFF},   {0xFFF0, 0xFFFC},
    {0xFFFE, 0xFFFF}, {0xE000, 0xF8FF}, {0xE0000, 0xE007F}, {0xF0000, 0x10FFFF}};

static size_t point_columns(uint32_t point)
{
    if (point < ZERO[0].first)
        return 1;
    return IN(ZERO, point) ? 0 : IN(WIDE, point) ? 2 : 1;
}

uint32_t utf8_next(const char **text)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)*text;
    uint32_t first = bytes[0];
    if (first == 0)
        return 0;
    *text += 1;
    if (first < 0x80)
        return first;
    int more = first >= 0xC2 && first < 0xE0   ? 1
               : first >= 0xE0 && first < 0xF0 ? 2
               : first >= 0xF0 && first < 0xF5 ? 3
                                               : 0;
    uint32_t point = first & (0x3Fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return UTF8_BAD;
        point = point << 6 | (bytes[i] & 0x3Fu);
    }
    bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    if (more == 0 || point < least[more] || point > 0x10FFFF || surrogate)
        return UTF8_BAD;
    *text += more;
    return point;
}

void utf8_append(struct str *out, uint32_t point)
{
    if (point < 0x80) {
        str_append_char(out, (char)point);
        return;
    }
    int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const uint32_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    str_append_char(out, (char)(lead[more] | point >> (6 * more)));
    while (more-- > 0)
        str_append_char(out, (char)(0x80 | (point >> (6 * more) & 0x3F)));
}

/* A text is plain in nearly all of its parts; the result is the character after it. */
static uint32_t append_plain(struct str *out, const char **text)
{
    const char *end = *text;
    while (*end >= ' ' && *end < 0x7F)
        end++;
    str_append_bytes(out, *text, (size_t)(end - *text));
    *text = end;
    return utf8_next(text);
}

void utf8_clean(struct str *out, const char *text)
{
    for (uint32_t point; (point = append_plain(out, &text)) != 0;)
        utf8_append(out, point);
}

size_t utf8_columns(const char *text)
{
    size_t columns = 0;
    for (uint32_t point; (point = utf8_next(&text)) != 0;)
        columns += point_columns(point);
    return columns;
}

static bool is_printable(uint32_t point)
{
    return (point >= ' ' && point < 0x7F) || !IN(UNPRINTABLE, point);
}

uint32_t utf8_shown(uint32_t point)
{
    return is_printable(point) ? point : UTF8_BAD;
}

static void append_printable(struct str *out, const char *text, bool utf8)
{
    for (uint32_t point; (point = utf8_next(&text)) != 0;) {
        point = utf8_shown(point);
        if (!utf8 && point > 126)
            point = '?';
        utf8_append(out, point);
    }
}

void utf8_printable(struct str *out, const char *text, bool lines)
{
    for (uint32_t point; (point = append_plain(out, &text)) != 0;) {
        bool line = lines && (point == '\n' || point == '\t');
        utf8_append(out, line ? point : utf8_shown(point));
    }
}

void utf8_escape_json(struct str *out, const char *json)
{
    for (uint32_t point; (point = append_plain(out, &json)) != 0;)
        if (is_printable(point) || point == '\n')
            utf8_append(out, point);
        else if (point < 0x10000)
            str_printf(out, "\\u%04x", point);
        else
            str_printf(out, "\\u%04x\\u%04x", 0xD800 + ((point - 0x10000) >> 10),
                       0xDC00 + ((point - 0x10000) & 0x3FF));
}

/* A text of which no more can be seen is cut down to both ends. */
static void append_ends(struct str *out, const char *text, size_t columns, bool utf8)
{
    size_t length = strlen(text), end = columns * 16 + 256;
    if (length <= 2 * end) {
        append_printable(out, text, utf8);
        return;
    }
    struct str ends = {0};
    const char *tail = text + length - end;
    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80)
        end--;
    while (((unsigned char)*tail & 0xC0) == 0x80)
        tail++;
    str_append_bytes(&ends, text, end);
    str_append(&ends, tail);
    append_printable(out, ends.data, utf8);
    str_release(&ends);
}

/* The end of the first *columns of `text`; how many of them were used is put there. */
static const char *head_end(const char *text, size_t *columns)
{
    const char *at = text, *end = text;
    size_t used = 0;
    for (uint32_t point; (point = utf8_next(&at)) != 0; end = at) {
        if (used + point_columns(point) > *columns)
            break;
        used += point_columns(point);
    }
    *columns = used;
    return end;
}

/* The last `columns` of `text`, which has `all`, begin at the result. */
static const char *tail_start(const char *text, size_t all, size_t columns)
{
    while (all > columns)
        all -= point_columns(utf8_next(&text));
    return text;
}

static void cut_middle(struct str *out, const char *clean, size_t all, size_t columns, bool utf8)
{
    size_t cut = utf8 ? 1 : 2;
    if (all <= columns) {
        str_append(out, clean);
    } else if (columns > cut) {
        size_t head = (columns - cut + 1) * 3 / 5;
        const char *end = head_end(clean, &head);
        str_append_bytes(out, clean, (size_t)(end - clean));
        str_append(out, utf8 ? "\u2026" : "..");
        str_append(out, tail_start(clean, all, columns - cut - head));
    }
}

/* What stands in brackets at the end tells names apart: "lock (table)". NULL: there is nothing. */
static const char *told_apart(const char *clean)
{
    const char *at = clean + strlen(clean);
    if (at == clean || at[-1] != ')')
        return NULL;
    while (at > clean && !(at[0] == '(' && at[-1] == ' '))
        at--;
    return at > clean + 1 ? at - 1 : NULL;
}

void utf8_fit(struct str *out, const char *text, size_t columns, bool utf8)
{
    struct str plain = {0};
    append_ends(&plain, text, columns, utf8);
    const char *clean = str_text(&plain), *apart = told_apart(clean);
    size_t all = utf8_columns(clean), last = apart ? utf8_columns(apart) : 0;
    if (apart && all > columns && last <= columns * 2 / 3) {
        struct str first = {0};
        str_append_bytes(&first, clean, (size_t)(apart - clean));
        cut_middle(out, str_text(&first), all - last, columns - last, utf8);
        str_append(out, apart);
        str_release(&first);
    } else {
        cut_middle(out, clean, all, columns, utf8);
    }
    str_release(&plain);
}
