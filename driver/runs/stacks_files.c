#include "driver/runs/stacks_files.h"

#include "driver/runs/result_file.h"
#include "report/kit/json_parts.h"
#include "report/stacks/stacks_report.h"

bool stacks_files_write(const struct stacks_page *page, const char *folder, struct error *error)
{
    struct str json = {0}, html = {0};
    json_write(stacks_json(page->stacks, page->doubts), JSON_COMPACT, &json);
    str_append_char(&json, '\n');
    stacks_write_html(page, &html);
    bool ok = result_file_write(folder, "stacks.json", &json, error) &&
              result_file_write(folder, "stacks.html", &html, error);
    str_release(&json);
    str_release(&html);
    return ok;
}
