/* Edits nest by what they enclose, in whatever order they are given; overlaps are refused. */
#include <stdio.h>
#include <string.h>

#include "rewriter/edit.h"

static int failures;

static void expect(const char *text, struct edit *edits, uint32_t count, const char *wanted)
{
    struct str result = {0};
    struct error error;
    bool ok = edit_apply(&result, text, strlen(text), edits, count, &error);
    if (ok != (wanted != NULL) || (ok && strcmp(str_text(&result), wanted) != 0)) {
        fprintf(stderr, "%s became %s, not %s\n", text, ok ? str_text(&result) : "(refused)",
                wanted ? wanted : "(refused)");
        failures++;
    }
    str_release(&result);
}

/* f(x): the call, the callee, an argument that is as long as a call in it, and a replacement. */
static void test_nesting(void)
{
    struct edit edits[] = {
        {EDIT_CLOSE, 5, 0, 2, 1, ">"},   {EDIT_OPEN, 2, 0, 5, 1, "<"},
        {EDIT_OPEN, 2, 0, 5, 0, "["},    {EDIT_CLOSE, 5, 0, 2, 0, "]"},
        {EDIT_OPEN, 0, 0, 6, 1, "{"},    {EDIT_CLOSE, 6, 0, 0, 1, "}"},
        {EDIT_REPLACE, 2, 1, 0, 0, "h"}, {EDIT_POINT, 4, 0, 0, 0, "1,"},
        {EDIT_OPEN, 0, 0, 1, 2, "("},    {EDIT_CLOSE, 1, 0, 0, 2, ")"},
    };
    uint32_t count = sizeof edits / sizeof edits[0];
    for (uint32_t turn = 0; turn < count; turn++) {
        struct edit turned[sizeof edits / sizeof edits[0]];
        for (uint32_t i = 0; i < count; i++)
            turned[i] = edits[(i + turn) % count];
        expect("f(g())", turned, count, "{(f)([<h(1,)>])}");
    }
}

static void test_points(void)
{
    struct edit edits[] = {{EDIT_POINT, 1, 0, 0, 9, "c"}, {EDIT_OPEN, 1, 0, 2, 0, "("},
                           {EDIT_CLOSE, 2, 0, 1, 0, ")"}, {EDIT_POINT, 1, 0, 0, 3, "b"},
                           {EDIT_CLOSE, 1, 0, 0, 0, "]"}, {EDIT_OPEN, 0, 0, 1, 0, "["}};
    expect("xy", edits, 6, "[x]bc(y)");
    expect("xy", edits, 0, "xy");
}

static void test_refusals(void)
{
    struct edit overlap[] = {{EDIT_REPLACE, 0, 3, 0, 0, "a"}, {EDIT_POINT, 2, 0, 0, 0, "b"}};
    expect("0123", overlap, 2, NULL);
    struct edit beyond[] = {{EDIT_POINT, 5, 0, 0, 0, "b"}};
    expect("0123", beyond, 1, NULL);
    struct edit touching[] = {{EDIT_REPLACE, 0, 2, 0, 0, "a"}, {EDIT_POINT, 2, 0, 0, 0, "b"}};
    expect("0123", touching, 2, "ab23");
}

int main(void)
{
    test_nesting();
    test_points();
    test_refusals();
    return failures != 0;
}
