/* The shell of a page: one file that asks nothing of the network. */
#include "base/number.h"
#include "report/kit/html_parts.h"

void html_page_begin(struct str *out, const char *title, const char *const *styles)
{
    str_append(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                    "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>vprofiler: ");
    html_short(out, title, 80);
    str_append(out, "</title>\n<style>\n");
    while (*styles)
        str_append(out, *styles++);
    str_append(out, "</style></head>\n<body><main>\n");
}

void html_page_end(struct str *out, const char *const *scripts)
{
    str_append(out, "</main>\n<div id=\"tip\" role=\"tooltip\" hidden></div>\n<script>\n");
    while (*scripts)
        str_append(out, *scripts++);
    str_append(out, "</script>\n</body></html>\n");
}

/* A number does not part from its percent sign. */
void html_tied(struct str *out, const char *text)
{
    struct str tied = {0};
    for (const char *at = text; *at; at++) {
        if (at[0] == ' ' && at[1] == '%')
            str_append(&tied, "\u00a0");
        else
            str_append_char(&tied, *at);
    }
    html_escape(out, str_text(&tied));
    str_release(&tied);
}

void html_warnings(const struct report_warning *warnings, uint32_t count, struct str *out)
{
    if (count == 0)
        return;
    str_append(out, "<section class=\"warnings\"><h2>Doubts about these numbers</h2><ul>\n");
    for (uint32_t i = 0; i < count; i++) {
        str_append(out, "<li><code>");
        html_escape(out, warnings[i].code);
        str_append(out, "</code> ");
        html_tied(out, warnings[i].message);
        str_append(out, "</li>\n");
    }
    str_append(out, "</ul></section>\n");
}

void html_doubts(const struct report_warning *warnings, uint32_t count, struct str *out)
{
    if (count == 0) {
        str_append(out, "<p class=\"sub\">No doubts about these numbers.</p>\n");
        return;
    }
    str_printf(out, "<div class=\"doubts\"><span>%u doubt%s:</span>", count, number_plural(count));
    for (uint32_t i = 0; i < count; i++) {
        str_append(out, "<details><summary>");
        html_escape(out, warnings[i].code);
        str_append(out, "</summary><p>");
        html_tied(out, warnings[i].message);
        str_append(out, "</p></details>\n");
    }
    str_append(out, "</div>\n");
}

void html_paper_doubts(const struct report_warning *warnings, uint32_t count, struct str *out)
{
    str_append(out, "<div class=\"paper\">");
    html_warnings(warnings, count, out);
    str_append(out, "</div>");
}

void html_header(const char *command, const char *seen, const char *sentences,
                 const struct doubts *doubts, struct str *out)
{
    str_append(out, "<header><p class=\"sub\">");
    html_short(out, command, 120);
    str_append(out, " \u00b7 ");
    html_escape(out, seen);
    str_append(out, "</p><h1>");
    html_tied(out, sentences);
    str_append(out, "</h1>\n");
    html_doubts(doubts->items, doubts->count, out);
    str_append(out, "</header>\n");
}

void html_origin_row(const char *label, const char *value, struct str *out)
{
    str_printf(out, "<dt>%s</dt><dd><code>", label);
    html_escape(out, value ? value : "unknown");
    str_append(out, "</code></dd>\n");
}

void html_origin(const struct report_origin *origin, const char *family, struct str *out)
{
    const char *const rows[][2] = {
        {"command", origin->command}, {"host", origin->host}, {"date", origin->date}};
    str_append(out, "<section><h2>Where it is from</h2><dl class=\"origin\">\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i][1])
            html_origin_row(rows[i][0], rows[i][1], out);
    str_append(out, "</dl>");
    if (family)
        str_printf(out,
                   "<p class=\"note\">%s.json beside this page holds every number, unrounded "
                   "(vprofiler.%s/1).</p>",
                   family, family);
    str_append(out, "</section>\n");
}

void html_icicle_tools(struct str *out)
{
    str_append(out,
               "<div class=\"tools\" id=\"icicle-tools\" hidden><label>Search "
               "<input type=\"search\" id=\"icicle-search\" placeholder=\"part of a name\" "
               "aria-describedby=\"icicle-found\" autocomplete=\"off\" spellcheck=\"false\">"
               "</label><button type=\"button\" id=\"icicle-whole\" disabled>Whole tree</button>"
               "<output id=\"icicle-found\" for=\"icicle-search\"></output></div>\n");
}
