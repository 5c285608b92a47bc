#include "rewriter/clang/found.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "rewriter/clang/cursor.h"
#include "rewriter/clang/cursor_name.h"
#include "rewriter/clang/declaration.h"
#include "trace/function_table.h"

static bool in_template(CXCursor cursor)
{
    for (enum CXCursorKind kind = clang_getCursorKind(cursor); !clang_isInvalid(kind);
         cursor = clang_getCursorSemanticParent(cursor), kind = clang_getCursorKind(cursor)) {
        if (kind == CXCursor_FunctionTemplate || kind == CXCursor_ClassTemplate ||
            kind == CXCursor_ClassTemplatePartialSpecialization)
            return true;
        if (clang_isTranslationUnit(kind))
            break;
    }
    return false;
}

static void name_function(struct unit *unit, CXCursor cursor, struct fact_function *function)
{
    struct arena *arena = &unit->facts->arena;
    struct str name = {0};
    cursor_take_name(cursor, &name);
    function->name = arena_strdup(arena, str_text(&name));
    str_release(&name);
    function->symbol = "";
    if (!in_template(cursor))
        cursor_take_text(clang_Cursor_getMangling(cursor), arena, &function->symbol);
    function->pure = clang_CXXMethod_isPureVirtual(cursor);
    function->foreign = !unit_holds(unit, cursor);
    function->local = cursor_is_local(cursor);
    function->cplusplus = unit->cplusplus;
    function->file = FACT_NO_FILE;
}

/* An instance of a template has the index of the template. */
uint32_t found_function(struct unit *unit, CXCursor cursor)
{
    cursor = cursor_of_pattern(cursor);
    struct str usr = {0};
    cursor_take_usr(cursor, &usr);
    uint32_t index = intern_add(&unit->usrs, usr.data);
    str_release(&usr);
    struct facts *facts = unit->facts;
    if (index < facts->function_count)
        return index;
    if (facts->function_count == unit->function_capacity) {
        unit->function_capacity = unit->function_capacity ? unit->function_capacity * 2 : 256;
        facts->functions =
            memory_resize(facts->functions, unit->function_capacity * sizeof *facts->functions);
        unit->traits = memory_resize(unit->traits, unit->function_capacity * sizeof *unit->traits);
    }
    struct fact_function *function = &facts->functions[facts->function_count++];
    *function = (struct fact_function){.usr = arena_strdup(&facts->arena, unit->usrs.text[index])};
    name_function(unit, cursor, function);
    CXString own = clang_getCursorSpelling(cursor);
    const char *name = clang_getCString(own);
    struct callee_traits *traits = &unit->traits[index];
    *traits = (struct callee_traits){0};
    traits->obstacle = declaration_callee_obstacle(cursor, name, &traits->constant);
    traits->ignored = declaration_is_ignored(cursor, name);
    function->calls_back = declaration_takes_functions(cursor);
    clang_disposeString(own);
    return index;
}

/* Pointers to functions of one type may come to any of them. */
static uint32_t type_of(CXCursor function)
{
    CXString text = clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(function)));
    const char *name = clang_getCString(text);
    uint32_t type = (uint32_t)hash_bytes(name, strlen(name)) | 1;
    clang_disposeString(text);
    return type;
}

uint32_t found_address(struct unit *unit, CXCursor named)
{
    if (!kind_is_function(clang_getCursorKind(named)))
        return FUNCTION_NONE;
    uint32_t index = found_function(unit, named);
    struct fact_function *function = &unit->facts->functions[index];
    function->address_taken = function->referenced = true;
    function->type = type_of(named);
    function->handles_signals |= declaration_has_handler_type(named);
    return index;
}

void found_overrides(struct unit *unit, CXCursor cursor)
{
    CXCursor *overridden;
    unsigned count;
    clang_getOverriddenCursors(cursor, &overridden, &count);
    uint32_t index = count && !clang_CXXMethod_isDefaulted(cursor) ? found_function(unit, cursor)
                                                                   : FUNCTION_NONE;
    if (index != FUNCTION_NONE && !unit->facts->functions[index].override_count) {
        uint32_t *list = ARENA_ARRAY(&unit->facts->arena, uint32_t, count);
        bool library = false;
        for (unsigned i = 0; i < count; i++) {
            list[i] = found_function(unit, overridden[i]);
            library |= unit->facts->functions[list[i]].foreign;
        }
        unit->facts->functions[index].overrides = list;
        unit->facts->functions[index].override_count = count;
        unit->facts->functions[index].referenced |=
            library && clang_getCursorKind(cursor) != CXCursor_Destructor;
    }
    clang_disposeOverriddenCursors(overridden);
}
