#include "base/utf8.h"
#include "report/kit/html_parts.h"

#include <math.h>

#include "report/kit/json_parts.h"

static const char *entity(uint32_t point)
{
    switch (point) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void html_escape(struct str *out, const char *text)
{
    for (uint32_t point; (point = utf8_next(&text)) != 0;) {
        const char *name = entity(point);
        bool line = point == '\n' || point == '\t';
        if (name)
            str_append(out, name);
        else
            utf8_append(out, line ? point : utf8_shown(point));
    }
}

void html_short(struct str *out, const char *text, size_t columns)
{
    struct str fitted = {0};
    utf8_fit(&fitted, text, columns, true);
    html_escape(out, str_text(&fitted));
    str_release(&fitted);
}

void html_place(struct str *out, const char *place)
{
    if (!*place)
        return;
    str_append(out, " <code class=\"place\">");
    html_short(out, place, 60);
    str_append(out, "</code>");
}

/* A script element ends at the first "</script", wherever that stands; JSON may spell it otherwise.
 */
void html_json(struct str *out, json_t *value)
{
    struct str json = {0};
    json_write(value, JSON_COMPACT, &json);
    for (const char *at = str_text(&json); *at; at++) {
        if (*at == '<' || *at == '>' || *at == '&')
            str_printf(out, "\\u%04x", (unsigned)*at);
        else
            str_append_char(out, *at);
    }
    str_release(&json);
}

void html_number_cell(struct str *out, const char *shown, double sorted)
{
    str_append(out, "<td class=\"n\"");
    if (isfinite(sorted))
        str_printf(out, " data-v=\"%.9g\"", sorted);
    str_append(out, ">");
    html_escape(out, shown);
    str_append(out, "</td>");
}
