#include "rewriter/edit.h"

#include <stdlib.h>

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_edits(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->offset != y->offset)
        return compare_numbers(x->offset, y->offset);
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->kind == EDIT_CLOSE) {
        int order = compare_numbers(y->other_end, x->other_end);
        return order ? order : compare_numbers(y->level, x->level);
    }
    if (x->kind == EDIT_OPEN && x->other_end != y->other_end)
        return compare_numbers(y->other_end, x->other_end);
    return compare_numbers(x->level, y->level);
}

bool edit_apply(struct str *result, const char *text, size_t size_bytes, struct edit *edits,
                uint32_t count, struct error *error)
{
    if (count)
        qsort(edits, count, sizeof *edits, compare_edits);
    uint32_t done = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct edit *edit = &edits[i];
        if (edit->offset < done || (size_t)edit->offset + edit->length > size_bytes)
            return error_set(error, ERROR_FORMAT,
                             "Two edits of one text overlap at byte %u, or the text is shorter. "
                             "Please report it.",
                             edit->offset);
        str_append_bytes(result, text + done, edit->offset - done);
        str_append(result, edit->text);
        done = edit->offset + edit->length;
    }
    str_append_bytes(result, text + done, size_bytes - done);
    return true;
}
