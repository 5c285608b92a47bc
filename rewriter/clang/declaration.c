#include "rewriter/clang/declaration.h"

#include <string.h>

#include "base/str.h"
#include "rewriter/clang/cursor.h"

/* libclang prints the declaration's specifiers, attributes and type as one text. */
static void declaration_text(CXCursor cursor, struct str *text)
{
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(cursor);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    CXString pretty = clang_getCursorPrettyPrinted(cursor, policy);
    CXString type = clang_getTypeSpelling(clang_getCursorType(cursor));
    str_append(text, clang_getCString(pretty));
    str_append(text, " ");
    str_append(text, clang_getCString(type));
    clang_disposeString(type);
    clang_disposeString(pretty);
    clang_PrintingPolicy_dispose(policy);
}

enum obstacle declaration_callee_obstacle(CXCursor callee, const char *name, bool *constant)
{
    static const char *const TWICE[] = {"setjmp",      "_setjmp", "sigsetjmp",  "__sigsetjmp",
                                        "_sigsetjmp",  "vfork",   "getcontext", "savectx",
                                        "swapcontext", "alloca"};
    static const char *const WARNED[] = {"strncpy", "stpncpy", "strncat", "wcsncpy"};
    if (STR_IS_ONE_OF(name, TWICE))
        return OBSTACLE_CALLERS_FRAME;
    if (STR_IS_ONE_OF(name, WARNED))
        return OBSTACLE_WARNS_BY_NEXT;
    struct str text = {0};
    declaration_text(callee, &text);
    enum obstacle obstacle = OBSTACLE_NONE;
    *constant = strstr(text.data, "constexpr") || strstr(text.data, "consteval");
    if (strstr(text.data, "noreturn") || strstr(text.data, "_Noreturn"))
        obstacle = OBSTACLE_NO_RETURN;
    else if (strstr(text.data, "returns_twice"))
        obstacle = OBSTACLE_CALLERS_FRAME;
    else if (strstr(text.data, "format_arg"))
        obstacle = OBSTACLE_FORMAT;
    str_release(&text);
    return obstacle;
}

enum obstacle declaration_body_obstacle(const struct unit *unit, CXCursor cursor)
{
    struct str text = {0};
    declaration_text(cursor, &text);
    static const struct {
        const char *word;
        enum obstacle obstacle;
    } WORDS[] = {
        {"constexpr", OBSTACLE_CONSTEXPR},         {"consteval", OBSTACLE_CONSTEVAL},
        {"__attribute__((naked", OBSTACLE_NAKED},  {"__attribute__((interrupt", OBSTACLE_INTERRUPT},
        {"no_sanitize", OBSTACLE_NO_SANITIZE},     {"target(\"no-", OBSTACLE_OTHER_TARGET},
        {"target(\"arch=", OBSTACLE_OTHER_TARGET}, {"general-regs-only", OBSTACLE_OTHER_TARGET},
        {"__attribute__((ifunc", OBSTACLE_IFUNC},
    };
    enum obstacle obstacle = OBSTACLE_NONE;
    bool lambda = cursor_is_lambda(cursor); /* printed as constexpr wherever it could be */
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0] && !obstacle; i++)
        if (!(lambda && obstacle_is_constexpr(WORDS[i].obstacle)) &&
            strstr(text.data, WORDS[i].word))
            obstacle = WORDS[i].obstacle;
    str_release(&text);
    if (!obstacle && !unit->cplusplus && clang_Cursor_isFunctionInlined(cursor) &&
        !cursor_is_local(cursor))
        obstacle = OBSTACLE_EXTERN_INLINE;
    return obstacle;
}

static bool is_ignored_name(const char *name)
{
    static const char *const BEGINS[] = {"__builtin_", "__sync_", "__atomic_", "__c11_atomic",
                                         "vprof_"};
    return STR_BEGINS_WITH_ONE_OF(name, BEGINS);
}

/* A lambda's class has functions that nobody wrote: they are not timed. */
bool declaration_is_ignored(CXCursor cursor, const char *name)
{
    if (is_ignored_name(name) || (cursor_is_lambda(cursor) && strcmp(name, "operator()") != 0))
        return true;
    static const char *const CASTS[] = {"move", "forward", "addressof", "as_const"};
    return STR_IS_ONE_OF(name, CASTS) && clang_getNumArgTypes(clang_getCursorType(cursor)) == 1 &&
           clang_Location_isInSystemHeader(clang_getCursorLocation(cursor));
}

static bool is_function_pointer(CXType type)
{
    type = clang_getCanonicalType(type);
    enum CXTypeKind behind =
        type.kind == CXType_Pointer ? clang_getPointeeType(type).kind : CXType_Invalid;
    return behind == CXType_FunctionProto || behind == CXType_FunctionNoProto;
}

bool declaration_takes_functions(CXCursor cursor)
{
    CXType type = clang_getCursorType(cursor);
    int count = clang_getNumArgTypes(type);
    for (int i = 0; i < count; i++)
        if (is_function_pointer(clang_getArgType(type, (unsigned)i)))
            return true;
    return false;
}

bool declaration_has_handler_type(CXCursor cursor)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    int count = clang_getNumArgTypes(type);
    bool object = clang_getCursorKind(cursor) == CXCursor_CXXMethod &&
                  !clang_CXXMethod_isStatic(cursor) && !cursor_is_lambda(cursor);
    if (object || (count != 1 && count != 3) || clang_getResultType(type).kind != CXType_Void ||
        clang_isFunctionTypeVariadic(type) || clang_getArgType(type, 0).kind != CXType_Int)
        return false;
    return count == 1 || (clang_getArgType(type, 1).kind == CXType_Pointer &&
                          clang_getArgType(type, 2).kind == CXType_Pointer);
}

/* Its text is asked, because a lambda may be constexpr without saying so. */
bool declaration_is_constexpr(struct unit *unit, CXCursor declaration)
{
    struct position begin = position_begin(unit, declaration);
    struct position name = position_of(unit, clang_getCursorLocation(declaration));
    return begin.file && begin.file == name.file &&
           source_has_word(&begin.file->text, begin.offset, name.offset, "constexpr");
}

const char *declaration_cleanup(CXCursor variable, struct arena *arena)
{
    static const char WORD[] = "cleanup(";
    if (!clang_Cursor_hasAttrs(variable))
        return NULL;
    struct str text = {0};
    declaration_text(variable, &text);
    const char *at = strstr(text.data, WORD);
    size_t length = at ? strcspn(at += strlen(WORD), ")") : 0;
    const char *name = length ? arena_strndup(arena, at, length) : NULL;
    str_release(&text);
    return name;
}
