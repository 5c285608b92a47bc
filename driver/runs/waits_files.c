#include "driver/runs/waits_files.h"

#include "driver/runs/result_file.h"
#include "driver/workbench/graphviz.h"
#include "report/kit/json_parts.h"
#include "report/waits/waits_report.h"

static const char *const words[] = {
    [GRAPHVIZ_MISSING] = "The graph is drawn where the program dot is installed: Debian's package "
                         "graphviz has it. The tables below have every number.",
    [GRAPHVIZ_FAILED] =
        "Graphviz could not lay the graph out. The tables below have every number."};

static enum graphviz_end lay_out(struct waits_drawing *drawing, const struct waits *waits,
                                 uint32_t most)
{
    struct str question = {0}, answer = {0};
    enum graphviz_end end = GRAPHVIZ_DONE;
    waits_drawing_choose(drawing, waits, most);
    if (drawing->edge_count) {
        waits_drawing_ask(drawing, waits, &question);
        end = graphviz_lay_out(question.data, &answer);
        if (end == GRAPHVIZ_DONE && !waits_drawing_place(drawing, str_text(&answer)))
            end = GRAPHVIZ_FAILED;
    }
    str_release(&question);
    str_release(&answer);
    return end;
}

static bool write_page(struct waits_page *page, const char *folder, struct error *error)
{
    struct waits_drawing first, all = {0};
    struct str text = {0};
    page->no_picture = words[lay_out(&first, page->waits, WAITS_DRAWN_FIRST)];
    page->first = &first;
    if (!page->no_picture && first.left_out &&
        lay_out(&all, page->waits, WAITS_DRAWN_ALL) == GRAPHVIZ_DONE)
        page->all = &all;
    waits_write_html(page, &text);
    bool ok = result_file_write(folder, "waits.html", &text, error);
    waits_drawing_release(&first);
    waits_drawing_release(&all);
    str_release(&text);
    return ok;
}

bool waits_files_write(struct waits_page page, const char *folder, struct error *error)
{
    struct str text = {0};
    json_write(waits_json(page.waits, page.doubts), JSON_INDENT(1), &text);
    bool ok =
        result_file_write(folder, "waits.json", &text, error) && write_page(&page, folder, error);
    str_release(&text);
    return ok;
}
