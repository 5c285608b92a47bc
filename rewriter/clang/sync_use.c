#include "rewriter/clang/sync_use.h"

#include <string.h>

#include "base/memory.h"
#include "rewriter/clang/cursor.h"
#include "trace/function_table.h"

static bool in_std(CXCursor cursor)
{
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    for (; kind_is_scope(clang_getCursorKind(parent));
         parent = clang_getCursorSemanticParent(parent))
        cursor = parent;
    return clang_getCursorKind(cursor) == CXCursor_Namespace && cursor_is_named(cursor, "std");
}

static bool is_declared_as(CXCursor named, const struct sync_name *sync)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(named));
    if (clang_getCursorKind(named) != CXCursor_FunctionDecl)
        return false;
    bool is_long = sync->traits & SYNC_TRAIT_LONG;
    return !(sync->traits & SYNC_TRAIT_VARIADIC) ||
           (clang_isFunctionTypeVariadic(type) && clang_getNumArgTypes(type) == (is_long ? 1 : 4) &&
            clang_getResultType(type).kind == (is_long ? CXType_Long : CXType_Int));
}

static void add(struct unit *unit, uint32_t within, sync_set used)
{
    if (within == FUNCTION_NONE)
        unit->sync |= used;
    else
        unit->traits[within].sync |= used;
}

void sync_use_note(struct unit *unit, uint32_t within, CXCursor named)
{
    if (clang_getCursorKind(named) == CXCursor_OverloadedDeclRef)
        named = clang_getOverloadedDecl(named, 0);
    CXCursor parent = clang_getCursorSemanticParent(named);
    enum CXCursorKind scope = clang_getCursorKind(parent);
    bool member = kind_is_scope(scope) && scope != CXCursor_Namespace;
    if (kind_is_scope(scope) && !unit->cplusplus)
        return;
    CXString text = clang_getCursorSpelling(named), class_text = clang_getCursorSpelling(parent);
    const char *name = clang_getCString(text), *class = clang_getCString(class_text);
    int sync = kind_is_scope(scope) ? SYNC_NAME_NONE : sync_name_find(name);
    sync_set standard = kind_is_scope(scope) ? sync_name_standard(member ? class : name) : 0;
    if (member && !standard)
        standard = sync_name_member(name);
    if (sync != SYNC_NAME_NONE && is_declared_as(named, &sync_names[sync]))
        add(unit, within, SYNC_BIT(sync));
    else if (standard && in_std(named))
        add(unit, within, standard);
    clang_disposeString(text);
    clang_disposeString(class_text);
}

/* A type without a name is called by where it stands, which is none. */
static bool has_name(const char *name)
{
    return name && name[0] && !strchr(name, '(') && !strchr(name, '<');
}

static const char *member_text(struct arena *arena, CXCursor member, const char *index)
{
    CXString class = clang_getCursorSpelling(clang_getCursorSemanticParent(member));
    CXString name = clang_getCursorSpelling(member);
    const char *of = clang_getCString(class);
    bool named = has_name(of);
    const char *text = arena_printf(arena, "%s%s%s%s", named ? of : "", named ? "." : "",
                                    clang_getCString(name), index);
    clang_disposeString(class);
    clang_disposeString(name);
    return text;
}

static bool outlives_calls(CXCursor variable)
{
    CXCursor parent = clang_getCursorSemanticParent(variable);
    return clang_Cursor_getStorageClass(variable) == CX_SC_Static ||
           clang_getCursorKind(parent) == CXCursor_TranslationUnit ||
           clang_getCursorKind(parent) == CXCursor_Namespace;
}

static const char *variable_text(struct arena *arena, CXCursor variable, const char *index)
{
    if (!outlives_calls(variable))
        return NULL;
    CXString name = clang_getCursorSpelling(variable);
    const char *text = arena_printf(arena, "%s%s", clang_getCString(name), index);
    clang_disposeString(name);
    return text;
}

const char *sync_use_object(struct unit *unit, CXCursor call)
{
    if (clang_Cursor_getNumArguments(call) < 1)
        return NULL;
    CXCursor given = cursor_strip(clang_Cursor_getArgument(call, 0));
    bool element = clang_getCursorKind(given) == CXCursor_ArraySubscriptExpr;
    CXCursor named = clang_getCursorReferenced(element ? cursor_strip(cursor_first(given)) : given);
    const char *index = element ? "[]" : "";
    if (clang_getCursorKind(named) == CXCursor_FieldDecl)
        return member_text(&unit->facts->arena, named, index);
    if (clang_getCursorKind(named) == CXCursor_VarDecl)
        return variable_text(&unit->facts->arena, named, index);
    return NULL;
}

/* An attribute may have it kept, or called at the start or the end. */
void sync_use_note_body(struct unit *unit, uint32_t function, CXCursor cursor)
{
    const struct fact_function *fact = &unit->facts->functions[function];
    unit->traits[function].dropped = !unit->cplusplus && fact->file != 0 && !fact->macro &&
                                     fact->obstacle != OBSTACLE_BODY_FROM_MACRO &&
                                     clang_Cursor_getStorageClass(cursor) == CX_SC_Static &&
                                     !clang_Cursor_hasAttrs(cursor);
}

/* `__attribute__((cleanup(close_it)))` calls what no expression names. */
static bool is_cleanup(const struct unit *unit, uint32_t function)
{
    for (size_t i = 0; i < unit->cleanups.count; i++)
        if (strcmp(unit->cleanups.text[i], unit->facts->functions[function].name) == 0)
            return true;
    return false;
}

static bool is_kept(const struct unit *unit, uint32_t function)
{
    const struct fact_function *fact = &unit->facts->functions[function];
    return !unit->traits[function].dropped || fact->referenced || fact->address_taken ||
           is_cleanup(unit, function);
}

struct wanted {
    const struct unit *unit;
    bool *seen;
    uint32_t *open; /* seen, and not gone through yet */
    uint32_t open_count;
};

static void want(struct wanted *wanted, uint32_t function)
{
    if (wanted->seen[function])
        return;
    wanted->seen[function] = true;
    wanted->open[wanted->open_count++] = function;
}

static sync_set follow(struct wanted *wanted)
{
    sync_set used = 0;
    while (wanted->open_count) {
        uint32_t function = wanted->open[--wanted->open_count];
        const struct fact_function *fact = &wanted->unit->facts->functions[function];
        used |= wanted->unit->traits[function].sync;
        for (uint32_t i = 0; i < fact->callee_count; i++)
            want(wanted, fact->callees[i]);
    }
    return used;
}

sync_set sync_use_of_unit(const struct unit *unit)
{
    uint32_t count = unit->facts->function_count;
    struct wanted wanted = {.unit = unit,
                            .seen = memory_zeroed(count + 1),
                            .open = memory_alloc((count + 1) * sizeof *wanted.open)};
    for (uint32_t i = 0; i < count; i++)
        if (is_kept(unit, i))
            want(&wanted, i);
    sync_set used = unit->sync | follow(&wanted);
    memory_free(wanted.seen);
    memory_free(wanted.open);
    return used;
}
