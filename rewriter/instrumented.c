#include "rewriter/instrumented.h"

#include <string.h>

#include "rewriter/preamble.h"

static const char BYTE_ORDER_MARK[] = "\xef\xbb\xbf";

enum { SWITCHES_LEAST = 4096 };

size_t instrumented_mark_length(const char *text, size_t size_bytes)
{
    return size_bytes >= 3 && memcmp(text, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
}

/* There is room for the switches of all probes there can be. It grows by doubling, because it
 * stands in every instrumented file: another number, another text. */
static void append_switches(const struct plan *plan, struct str *text)
{
    uint32_t count = SWITCHES_LEAST;
    while (count < plan->place_count)
        count *= 2;
    str_printf(
        text,
        "#ifndef VPROF_SWITCHES_1\n#define VPROF_SWITCHES_1 %u\nVPROF_SWITCH_TABLE_1\n#endif\n",
        count);
}

/* The assembler goes on in the section that it would be in without a preamble. */
#define PREAMBLE_ENDS                                                                              \
    "#ifndef VPROF_BACK_2\n#define VPROF_BACK_2 "                                                  \
    "vprof_back_2\nVPROF_BACK_1(VPROF_BACK_2)\n#endif\n"

bool instrumented_text(struct str *fresh, struct plan *plan, uint32_t file,
                       const struct str *pristine, struct error *error)
{
    size_t mark = instrumented_mark_length(str_text(pristine), pristine->length);
    struct plan_file *own = &plan->files[file];
    struct str edited = {0};
    bool ok = edit_apply(&edited, str_text(pristine), pristine->length, own->edits, own->edit_count,
                         error);
    if (ok) {
        str_append_bytes(fresh, str_text(&edited), mark);
        str_append(fresh, rewriter_preamble);
        append_switches(plan, fresh);
        str_append(fresh, rewriter_sites);
        str_append(fresh, own->lines);
        str_append(fresh, PREAMBLE_ENDS "#line 1\n");
        str_append_bytes(fresh, str_text(&edited) + mark, edited.length - mark);
    }
    str_release(&edited);
    return ok;
}
