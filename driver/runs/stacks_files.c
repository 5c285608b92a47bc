#include "driver/runs/stacks_files.h"

#include "base/file.h"
#include "report/kit/json_parts.h"
#include "report/stacks/stacks_report.h"

static bool write_one(const char *folder, const char *name, const struct str *text,
                      struct error *error)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", folder, name);
    bool ok = file_write(path.data, str_text(text), text->length, error);
    str_release(&path);
    return ok;
}

bool stacks_files_write(const struct stacks_page *page, const char *folder, struct error *error)
{
    struct str json = {0}, html = {0};
    json_write(stacks_json(page->stacks, page->doubts), JSON_COMPACT, &json);
    str_append_char(&json, '\n');
    stacks_write_html(page, &html);
    bool ok = write_one(folder, "stacks.json", &json, error) &&
              write_one(folder, "stacks.html", &html, error);
    str_release(&json);
    str_release(&html);
    return ok;
}
