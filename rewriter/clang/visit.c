/* The only file that knows libclang. A compilation is read in one walk: first its macro
 * definitions and expansions (libclang gives them first), then its declarations; each function's
 * body is walked once, and a sub-expression's findings go up to the calls around it.
 *
 * libclang gives a token that a macro's body made the position of the macro's use; so a text is
 * taken as literally there only where no expansion starts at its offset, where the callee's name
 * stands in it, and where its own parentheses end it where libclang says. */
#include <clang-c/Index.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"
#include "rewriter/clang/facts_read.h"
#include "rewriter/compile_flags.h"
#include "rewriter/crowd.h"
#include "rewriter/expansion_list.h"
#include "rewriter/input_stamp.h"
#include "rewriter/macro_table.h"
#include "rewriter/openmp.h"
#include "rewriter/source_text.h"
#include "rewriter/sync_name.h"
#include "rewriter/unevaluated.h"
#include "trace/function_table.h"

struct source_file {
    uint32_t fact; /* index in facts.files */
    struct source_text text;
    struct expansion_list expansions;
};

/* What holds for a function whoever calls it. */
struct callee_traits {
    enum obstacle obstacle;
    bool ignored;  /* built into the compiler, or ours */
    bool constant; /* declared constexpr: a call of it may have to be a constant */
};

/* One compilation while it is read. */
struct unit {
    const struct facts_source *source;
    const struct compile_command *command;
    CXTranslationUnit clang;
    struct facts *facts;
    struct intern paths; /* index is that of `files` */
    struct source_file **files;
    size_t file_count, file_capacity;
    struct hash_map file_of; /* CXFile -> index + 2; 1: not in the tree */
    struct intern usrs;      /* index is that of facts->functions */
    size_t function_capacity;
    struct fact_macro *macros;
    size_t macro_count, macro_capacity;
    struct macro_table macro_table;
    struct hash_map text_of; /* CXFile -> index + 1 of the text */
    struct source_text *texts;
    size_t text_count, text_capacity;
    struct callee_traits *traits;    /* by function */
    const struct source_file *maker; /* where a macro's use made functions last */
    uint32_t maker_offset, maker_order;
    struct crowd *crowds; /* of bodies */
    size_t crowd_count, crowd_capacity;
    sync_set sync; /* as in fact_unit */
    bool openmp;   /* the compiler heeds its directives, the parser does not */
    bool cplusplus;
    bool constant; /* a constexpr variable outside of functions is visited */
    bool elision;  /* an object is returned without being moved: C++17 */
};

struct place {
    struct source_file *file; /* NULL: not in the tree */
    uint32_t offset;
    uint32_t line;
    bool in_argument; /* of a macro */
};

/* Temporary objects of a full expression die when it is over, wherever its parts were. */
enum context {
    IN_CAPTURE = 1,
    UNEVALUATED = 2,
    OUTSIDE_BODY = 4,
    IN_CALLEE = 8,
    FULL_EXPRESSION = 16,
    IN_CONSTANT = 32,      /* the initialiser of a constexpr variable */
    DISCARDED = 64,        /* a full expression whose value nothing uses */
    IN_VALUE = 128,        /* a statement expression, whose last value is used */
    IN_NAMED_REGION = 256, /* its text may use no variable that a directive does not name */
    IN_VECTOR_LOOP = 512,
    IN_OBJECT = 1024 /* a member of it is called */
};
enum found { FOUND_CALL = 1, FOUND_TEMPORARY = 2, FOUND_LITERAL = 4, FOUND_HOOKS = 8 };

/* A function's body while it is walked. */
struct body {
    uint32_t function;
    struct source_file *file;
    struct fact_call *calls;
    CXCursor *nodes; /* of the calls */
    size_t call_count, call_capacity, node_count, node_capacity;
    struct fact_statement *statements;
    size_t statement_count, statement_capacity;
    uint32_t *callees;
    size_t callee_count, callee_capacity;
    struct crowd crowd;   /* of the callees, at how many places each is called */
    uint32_t *references; /* functions that are named but not called */
    size_t reference_count, reference_capacity;
    uint32_t *virtuals; /* of the callees, those called virtually */
    size_t virtual_count, virtual_capacity;
    struct unevaluated unevaluated;
    bool marks, indirect, unbounded;
};

/* The state of the walk at one node. */
struct walk {
    struct unit *unit;
    struct body *body;
    unsigned context;
    unsigned found; /* below this node */
    CXCursor node;
    struct call_walk *call; /* where the node is a call */
};

/* A call whose children are walked: the callee, then the arguments. */
struct call_walk {
    CXCursor callee;
    bool has_callee;
    bool no_callee; /* a constructor or an operator: its children are its arguments */
    unsigned callee_found;
    int argument_count;
    int next;
    unsigned *argument_found;
};

static bool take_text(CXString string, struct arena *arena, const char **text)
{
    const char *c = clang_getCString(string);
    *text = arena_strdup(arena, c ? c : "");
    clang_disposeString(string);
    return **text != '\0';
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Places ------------------------------------------------------------------------------------ */

/* libclang looks a file up in a list of all inclusions, which takes long for each macro. */
static struct source_text unit_text(struct unit *unit, CXFile file)
{
    uint64_t *known = hash_map_put(&unit->text_of, (uint64_t)(uintptr_t)file);
    if (*known == 0) {
        size_t size = 0;
        const char *data = file ? clang_getFileContents(unit->clang, file, &size) : NULL;
        struct source_text text = {data ? data : "", data ? (uint32_t)size : 0};
        VEC_PUSH(unit->texts, unit->text_count, unit->text_capacity) = text;
        *known = unit->text_count;
    }
    return unit->texts[*known - 1];
}

static uint32_t unit_add_file(struct unit *unit, CXFile file, const char *path)
{
    uint32_t id = intern_add(&unit->paths, path);
    if (id < unit->file_count)
        return id;
    struct source_file *fresh = ARENA_NEW(&unit->facts->arena, struct source_file);
    fresh->fact = id;
    fresh->text = unit_text(unit, file);
    VEC_PUSH(unit->files, unit->file_count, unit->file_capacity) = fresh;
    return id;
}

/* The path below the tree, every symbolic link resolved, so that nothing outside is ever touched
 * and a file has one name. */
static uint64_t unit_resolve_file(struct unit *unit, CXFile file)
{
    CXString name = clang_getFileName(file);
    const char *text = clang_getCString(name);
    struct str path = {0};
    path_join(&path, unit->command->directory, text ? text : "");
    clang_disposeString(name);
    char *real = realpath(path.data, NULL);
    const char *below = real ? path_below(real, unit->source->tree) : NULL;
    uint64_t result = below ? unit_add_file(unit, file, below) + 2 : 1;
    free(real);
    str_release(&path);
    return result;
}

static struct source_file *unit_file(struct unit *unit, CXFile file)
{
    if (!file)
        return NULL;
    uint64_t *known = hash_map_put(&unit->file_of, (uint64_t)(uintptr_t)file);
    if (*known == 0)
        *known = unit_resolve_file(unit, file);
    return *known == 1 ? NULL : unit->files[*known - 2];
}

static struct place place_of(struct unit *unit, CXSourceLocation location)
{
    CXFile file, outer;
    unsigned line, offset, outer_offset;
    clang_getSpellingLocation(location, &file, &line, NULL, &offset);
    clang_getExpansionLocation(location, &outer, NULL, NULL, &outer_offset);
    return (struct place){unit_file(unit, file), offset, line,
                          offset != outer_offset || file != outer};
}

static struct place place_begin(struct unit *unit, CXCursor cursor)
{
    return place_of(unit, clang_getRangeStart(clang_getCursorExtent(cursor)));
}

static struct place place_end(struct unit *unit, CXCursor cursor)
{
    return place_of(unit, clang_getRangeEnd(clang_getCursorExtent(cursor)));
}

/* Macros ------------------------------------------------------------------------------------ */

static void keep_macro(struct unit *unit, struct fact_macro macro, struct source_text text)
{
    uint32_t body = macro_body(&text);
    struct arena *arena = &unit->facts->arena;
    macro.begin += body;
    uint32_t head = source_token(&text, 0).end;
    macro.parameters = arena_strndup(arena, text.data + head, body > head ? body - head : 0);
    macro.body = arena_strndup(arena, text.data + body, text.size_bytes - body);
    macro.pastes = macro_pastes(&text);
    VEC_PUSH(unit->macros, unit->macro_count, unit->macro_capacity) = macro;
}

static void keep_outside_macro(void *unit, const char *name, struct source_text text)
{
    struct fact_macro macro = {.file = FACT_NO_FILE};
    macro.name = arena_strdup(&((struct unit *)unit)->facts->arena, name);
    keep_macro(unit, macro, text);
}

static void note_definition(struct unit *unit, CXCursor cursor)
{
    const char *name;
    take_text(clang_getCursorSpelling(cursor), &unit->facts->arena, &name);
    unit->cplusplus = unit->cplusplus || strcmp(name, "__cplusplus") == 0;
    unit->elision = unit->elision || strcmp(name, "__cpp_guaranteed_copy_elision") == 0;
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile file;
    unsigned line, begin, end;
    clang_getSpellingLocation(clang_getRangeStart(range), &file, &line, NULL, &begin);
    clang_getSpellingLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    struct source_text whole = unit_text(unit, file);
    if (end > whole.size_bytes || begin >= end)
        return;
    struct source_text text = {whole.data + begin, end - begin};
    struct source_file *in_tree = unit_file(unit, file);
    macro_table_define(&unit->macro_table, name, text, in_tree != NULL);
    if (in_tree)
        keep_macro(unit, (struct fact_macro){name, in_tree->fact, begin, line, "", "", false},
                   text);
}

static void note_expansion(struct unit *unit, CXCursor cursor)
{
    struct place begin = place_begin(unit, cursor);
    if (!begin.file)
        return;
    const char *macro;
    take_text(clang_getCursorSpelling(cursor), &unit->facts->arena, &macro);
    expansion_list_add(&begin.file->expansions, begin.offset, place_end(unit, cursor).offset,
                       macro);
}

/* Why a text in the argument of this use can't be edited; `at` as of expansion_list_at. */
static enum obstacle argument_obstacle(struct unit *unit, const struct expansion_list *uses,
                                       uint32_t at)
{
    for (; at; at = uses->items[at - 1].around)
        if (macro_table_stringizes(&unit->macro_table, uses->items[at - 1].macro))
            return OBSTACLE_STRINGIZED;
    return OBSTACLE_NONE;
}

/* Why a text that begins here can't be edited. */
static enum obstacle place_obstacle(struct unit *unit, const struct place *place)
{
    struct expansion_list *uses = &place->file->expansions;
    uint32_t at = expansion_list_at(uses, place->offset);
    if (at && uses->items[at - 1].begin == place->offset)
        return OBSTACLE_FROM_MACRO;
    return argument_obstacle(unit, uses, at);
}

/* Functions ----------------------------------------------------------------------------------- */

static bool is_function(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
           kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate;
}

static bool is_scope(enum CXCursorKind kind)
{
    return kind == CXCursor_Namespace || kind == CXCursor_ClassDecl ||
           kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl ||
           kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
}

/* The function that a lambda's body is. */
static bool is_lambda(CXCursor function)
{
    CXCursor parent = clang_getCursorSemanticParent(function);
    if (clang_getCursorKind(parent) != CXCursor_ClassDecl)
        return false;
    CXString name = clang_getCursorSpelling(parent);
    const char *text = clang_getCString(name);
    bool lambda = !text || !*text || str_starts_with(text, "(lambda");
    clang_disposeString(name);
    return lambda;
}

/* "handle::lambda:12", by its line. */
static void qualified_name(CXCursor cursor, struct str *name)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool lambda = is_function(kind) && is_lambda(cursor);
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    if (lambda)
        parent = clang_getCursorSemanticParent(parent);
    enum CXCursorKind around = clang_getCursorKind(parent);
    if (is_scope(around) || (lambda && is_function(around)))
        qualified_name(parent, name);
    if (lambda) {
        unsigned line;
        clang_getSpellingLocation(clang_getCursorLocation(cursor), NULL, &line, NULL, NULL);
        str_printf(name, "%slambda:%u", name->length ? "::" : "", line);
        return;
    }
    CXString text = clang_getCursorSpelling(cursor);
    const char *c = clang_getCString(text);
    if (c && *c) {
        if (name->length)
            str_append(name, "::");
        /* A template's constructor is "Box<T>" by libclang's account. */
        bool special = kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
                       (kind == CXCursor_FunctionTemplate && !str_starts_with(c, "operator"));
        str_append_bytes(name, c, special ? strcspn(c, "<") : strlen(c));
    }
    clang_disposeString(text);
}

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

/* The declaration's specifiers, attributes and type as one text. */
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

static bool is_ignored_name(const char *name)
{
    return str_starts_with(name, "__builtin_") || str_starts_with(name, "__sync_") ||
           str_starts_with(name, "__atomic_") || str_starts_with(name, "__c11_atomic") ||
           str_starts_with(name, "vprof_");
}

static enum obstacle callee_obstacle(CXCursor callee, const char *name, bool *constant)
{
    static const char *const TWICE[] = {"setjmp",      "_setjmp", "sigsetjmp",  "__sigsetjmp",
                                        "_sigsetjmp",  "vfork",   "getcontext", "savectx",
                                        "swapcontext", "alloca"};
    for (size_t i = 0; i < sizeof TWICE / sizeof TWICE[0]; i++)
        if (strcmp(name, TWICE[i]) == 0)
            return OBSTACLE_CALLERS_FRAME;
    if (strcmp(name, "strncpy") == 0 || strcmp(name, "stpncpy") == 0 ||
        strcmp(name, "strncat") == 0 || strcmp(name, "wcsncpy") == 0)
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

static bool is_local(CXCursor cursor)
{
    enum CXLinkageKind linkage = clang_getCursorLinkage(cursor);
    return linkage == CXLinkage_Internal || linkage == CXLinkage_NoLinkage ||
           linkage == CXLinkage_UniqueExternal;
}

static void name_function(struct unit *unit, CXCursor cursor, struct fact_function *function)
{
    struct arena *arena = &unit->facts->arena;
    struct str name = {0};
    qualified_name(cursor, &name);
    function->name = arena_strdup(arena, str_text(&name));
    str_release(&name);
    function->symbol = "";
    if (!in_template(cursor))
        take_text(clang_Cursor_getMangling(cursor), arena, &function->symbol);
    function->pure = clang_CXXMethod_isPureVirtual(cursor);
    function->foreign = !place_of(unit, clang_getCursorLocation(cursor)).file;
    function->local = is_local(cursor);
    function->cplusplus = unit->cplusplus;
    function->file = FACT_NO_FILE;
}

/* All lambdas of a class have one USR by libclang's account: they get their offset added. */
static void function_usr(CXCursor cursor, struct str *usr)
{
    CXString text = clang_getCursorUSR(cursor);
    str_append(usr, clang_getCString(text));
    clang_disposeString(text);
    unsigned offset;
    clang_getSpellingLocation(clang_getCursorLocation(cursor), NULL, NULL, NULL, &offset);
    if (is_lambda(cursor))
        str_printf(usr, "@%u", offset);
}

/* What is called but never timed. A lambda's class has functions that nobody wrote. */
static bool is_ignored(CXCursor cursor, const char *name)
{
    if (is_ignored_name(name) || (is_lambda(cursor) && strcmp(name, "operator()") != 0))
        return true;
    static const char *const CASTS[] = {"move", "forward", "addressof", "as_const"};
    for (size_t i = 0; i < sizeof CASTS / sizeof CASTS[0]; i++)
        if (strcmp(name, CASTS[i]) == 0 && clang_getNumArgTypes(clang_getCursorType(cursor)) == 1 &&
            clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
            return true;
    return false;
}

static bool is_function_pointer(CXType type)
{
    type = clang_getCanonicalType(type);
    enum CXTypeKind behind =
        type.kind == CXType_Pointer ? clang_getPointeeType(type).kind : CXType_Invalid;
    return behind == CXType_FunctionProto || behind == CXType_FunctionNoProto;
}

static bool takes_functions(CXCursor cursor)
{
    CXType type = clang_getCursorType(cursor);
    int count = clang_getNumArgTypes(type);
    for (int i = 0; i < count; i++)
        if (is_function_pointer(clang_getArgType(type, (unsigned)i)))
            return true;
    return false;
}

/* void(int), or void(int, siginfo_t *, void *). */
static bool has_handler_type(CXCursor cursor)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    int count = clang_getNumArgTypes(type);
    bool object = clang_getCursorKind(cursor) == CXCursor_CXXMethod &&
                  !clang_CXXMethod_isStatic(cursor) && !is_lambda(cursor);
    if (object || (count != 1 && count != 3) || clang_getResultType(type).kind != CXType_Void ||
        clang_isFunctionTypeVariadic(type) || clang_getArgType(type, 0).kind != CXType_Int)
        return false;
    return count == 1 || (clang_getArgType(type, 1).kind == CXType_Pointer &&
                          clang_getArgType(type, 2).kind == CXType_Pointer);
}

/* The index of the function; of the template where the cursor is an instance of one. */
static uint32_t unit_function(struct unit *unit, CXCursor cursor)
{
    CXCursor pattern = clang_getSpecializedCursorTemplate(cursor);
    while (is_function(clang_getCursorKind(pattern)) && !clang_equalCursors(cursor, pattern)) {
        cursor = pattern; /* of a member template: first of the class's instance */
        pattern = clang_getSpecializedCursorTemplate(cursor);
    }
    struct str usr = {0};
    function_usr(cursor, &usr);
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
    traits->obstacle = callee_obstacle(cursor, name, &traits->constant);
    traits->ignored = is_ignored(cursor, name);
    function->calls_back = takes_functions(cursor);
    clang_disposeString(own);
    return index;
}

/* Uses ---------------------------------------------------------------------------------------- */

static bool in_std(CXCursor cursor)
{
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    for (; is_scope(clang_getCursorKind(parent)); parent = clang_getCursorSemanticParent(parent))
        cursor = parent;
    CXString name = clang_getCursorSpelling(cursor);
    bool std = clang_getCursorKind(cursor) == CXCursor_Namespace &&
               strcmp(clang_getCString(name), "std") == 0;
    clang_disposeString(name);
    return std;
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

/* `named` is what a name in the tree stands for: a function, a class, or a member of one. */
static void note_sync(struct unit *unit, CXCursor named)
{
    if (clang_getCursorKind(named) == CXCursor_OverloadedDeclRef)
        named = clang_getOverloadedDecl(named, 0);
    CXCursor parent = clang_getCursorSemanticParent(named);
    enum CXCursorKind scope = clang_getCursorKind(parent);
    bool member = is_scope(scope) && scope != CXCursor_Namespace;
    if (is_scope(scope) && !unit->cplusplus)
        return;
    CXString text = clang_getCursorSpelling(named), class_text = clang_getCursorSpelling(parent);
    const char *name = clang_getCString(text), *class = clang_getCString(class_text);
    int sync = is_scope(scope) ? SYNC_NAME_NONE : sync_name_find(name);
    sync_set standard = is_scope(scope) ? sync_name_standard(member ? class : name) : 0;
    if (member && !standard)
        standard = sync_name_member(name);
    if (sync != SYNC_NAME_NONE && is_declared_as(named, &sync_names[sync]))
        unit->sync |= SYNC_BIT(sync);
    else if (standard && in_std(named))
        unit->sync |= standard;
    clang_disposeString(text);
    clang_disposeString(class_text);
}

/* A function's name that is not what a call calls; FUNCTION_NONE where it is none's. */
static uint32_t note_address(struct unit *unit, CXCursor named)
{
    if (!is_function(clang_getCursorKind(named)))
        return FUNCTION_NONE;
    uint32_t index = unit_function(unit, named);
    struct fact_function *function = &unit->facts->functions[index];
    function->address_taken = function->referenced = true;
    function->handles_signals |= has_handler_type(named);
    return index;
}

static uint32_t visit_lambda(struct unit *unit, CXCursor lambda);

/* What stands outside of functions: the initialisers of variables and members. */
static enum CXChildVisitResult visit_initialiser(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    (void)parent;
    struct unit *unit = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_DeclRefExpr || kind == CXCursor_CallExpr)
        note_sync(unit, clang_getCursorReferenced(cursor));
    if (kind == CXCursor_DeclRefExpr)
        note_address(unit, clang_getCursorReferenced(cursor));
    if (kind != CXCursor_LambdaExpr)
        return CXChildVisit_Recurse;
    uint32_t lambda = visit_lambda(unit, cursor);
    if (lambda != FUNCTION_NONE)
        unit->facts->functions[lambda].referenced = true;
    return CXChildVisit_Continue;
}

/* Calls --------------------------------------------------------------------------------------- */

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

static CXCursor first_child(CXCursor cursor)
{
    CXCursor child = clang_getNullCursor();
    clang_visitChildren(cursor, take_first, &child);
    return child;
}

static enum CXChildVisitResult take_last(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

static CXCursor last_child(CXCursor cursor)
{
    CXCursor child = clang_getNullCursor();
    clang_visitChildren(cursor, take_last, &child);
    return child;
}

/* Parentheses, implicit conversions, * and &. */
static bool is_transparent(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    return kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr ||
           kind == CXCursor_UnaryOperator;
}

static CXCursor strip(CXCursor cursor)
{
    for (;;) {
        if (!is_transparent(cursor))
            return cursor;
        CXCursor child = first_child(cursor);
        if (clang_Cursor_isNull(child))
            return cursor;
        cursor = child;
    }
}

static CXCursor called_function(CXCursor call, CXCursor callee)
{
    CXCursor target = clang_getCursorReferenced(call);
    if (is_function(clang_getCursorKind(target)))
        return target;
    CXCursor inner = clang_Cursor_isNull(callee) ? callee : strip(callee);
    if (clang_getCursorKind(inner) == CXCursor_DeclRefExpr)
        target = clang_getCursorReferenced(inner);
    return is_function(clang_getCursorKind(target)) ? target : clang_getNullCursor();
}

static bool is_scalar(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return (kind >= CXType_Bool && kind <= CXType_LongDouble) || kind == CXType_Enum ||
           kind == CXType_Pointer;
}

/* The type of the function that is called: of its declaration, or behind the pointer. */
static CXType function_type(CXCursor target, CXCursor callee)
{
    if (!clang_Cursor_isNull(target))
        return clang_getCursorType(target);
    CXCursor inner = strip(callee);
    CXType type = clang_getCanonicalType(clang_getCursorType(callee));
    if (clang_getCursorKind(inner) == CXCursor_BinaryOperator) /* p->*member */
        type = clang_getCanonicalType(clang_getCursorType(last_child(inner)));
    bool behind = type.kind == CXType_Pointer || type.kind == CXType_MemberPointer;
    return behind ? clang_getPointeeType(type) : type;
}

static bool is_constant(CXCursor call)
{
    CXEvalResult result = clang_Cursor_Evaluate(call);
    if (!result)
        return false;
    bool constant = clang_EvalResult_getKind(result) != CXEval_UnExposed;
    clang_EvalResult_dispose(result);
    return constant;
}

/* Is this a thing that has a place, of the very type that is asked for? */
static bool is_lasting(CXCursor argument, CXType wanted)
{
    while (clang_getCursorKind(argument) == CXCursor_UnexposedExpr ||
           clang_getCursorKind(argument) == CXCursor_ParenExpr)
        argument = first_child(argument);
    enum CXCursorKind kind = clang_getCursorKind(argument);
    enum CXCursorKind named = clang_getCursorKind(clang_getCursorReferenced(argument));
    bool place = kind == CXCursor_MemberRefExpr || kind == CXCursor_StringLiteral ||
                 (kind == CXCursor_DeclRefExpr && named != CXCursor_EnumConstantDecl &&
                  named != CXCursor_NonTypeTemplateParameter);
    CXType own = clang_getCanonicalType(clang_getCursorType(argument));
    wanted = clang_getCanonicalType(wanted);
    return place && own.kind == wanted.kind &&
           (own.kind != CXType_Pointer ||
            clang_equalTypes(clang_getPointeeType(own), clang_getPointeeType(wanted)));
}

/* May an argument be a temporary that the result can refer to? */
static bool binds_temporary(CXCursor call, CXType function)
{
    int count = clang_getNumArgTypes(function);
    for (int i = 0; i < count; i++) {
        CXType type = clang_getCanonicalType(clang_getArgType(function, (unsigned)i));
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        if ((type.kind == CXType_LValueReference || type.kind == CXType_RValueReference) &&
            !is_lasting(argument, clang_getPointeeType(type)))
            return true;
    }
    return false;
}

static enum obstacle cplusplus_obstacle(const struct walk *walk, CXType function, bool constant)
{
    CXType result = clang_getCanonicalType(clang_getResultType(function));
    if (clang_getCursorType(walk->node).kind == CXType_Dependent ||
        result.kind == CXType_Dependent || result.kind == CXType_Invalid ||
        result.kind == CXType_Unexposed)
        return OBSTACLE_DEPENDENT;
    bool object = result.kind == CXType_Record, lvalue = result.kind == CXType_LValueReference;
    bool scalar = is_scalar(result);
    if (result.kind == CXType_RValueReference)
        return OBSTACLE_RVALUE;
    if (result.kind != CXType_Void && !scalar && !lvalue && !(object && walk->unit->elision))
        return OBSTACLE_OBJECT;
    if ((object || lvalue) && constant)
        return OBSTACLE_MAYBE_CONSTANT;
    return OBSTACLE_NONE;
}

/* May temporary objects of the call be used when it is over? */
static bool has_living(const struct walk *walk, CXType function)
{
    CXType result = clang_getCanonicalType(clang_getResultType(function));
    bool object = result.kind == CXType_Record, lvalue = result.kind == CXType_LValueReference;
    /* What a reference names is read after the call. */
    if (walk->context & (lvalue ? DISCARDED : FULL_EXPRESSION))
        return false;
    bool refers = object || lvalue || result.kind == CXType_Pointer;
    return (walk->found & FOUND_TEMPORARY) || (refers && binds_temporary(walk->node, function));
}

/* An object that only a member is called of may as well be a reference to it. */
static bool can_hold(const struct walk *walk, const struct fact_call *call, CXType function)
{
    CXType result = clang_getCanonicalType(clang_getResultType(function));
    bool object = result.kind == CXType_Record && (walk->context & IN_OBJECT);
    return walk->unit->elision && !call->pointer &&
           (object || result.kind == CXType_LValueReference || is_scalar(result));
}

static enum obstacle value_obstacle(const struct walk *walk, struct fact_call *call,
                                    CXType function, const struct callee_traits *callee)
{
    if (callee && callee->obstacle)
        return callee->obstacle;
    if (walk->context & OUTSIDE_BODY)
        return OBSTACLE_OUTSIDE_BODY;
    if (walk->context & IN_CAPTURE)
        return OBSTACLE_CAPTURE;
    if (walk->context & IN_VECTOR_LOOP)
        return OBSTACLE_VECTOR_LOOP;
    if ((walk->context & UNEVALUATED) || unevaluated_holds(&walk->body->unevaluated, call->begin))
        return OBSTACLE_UNEVALUATED;
    if (walk->found & FOUND_LITERAL)
        return OBSTACLE_LITERAL;
    enum obstacle obstacle = walk->unit->cplusplus
                                 ? cplusplus_obstacle(walk, function, callee && callee->constant)
                                 : OBSTACLE_NONE;
    if (obstacle || (!call->text_obstacle && is_constant(walk->node)))
        return obstacle ? obstacle : OBSTACLE_IS_CONSTANT;
    call->held = walk->unit->cplusplus && has_living(walk, function);
    return call->held && !can_hold(walk, call, function) ? OBSTACLE_TEMPORARY : OBSTACLE_NONE;
}

static bool is_plain_call(CXCursor target)
{
    enum CXCursorKind kind = clang_getCursorKind(target);
    if (kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
        kind == CXCursor_ConversionFunction)
        return false;
    CXString name = clang_getCursorSpelling(target);
    bool is_operator = str_starts_with(clang_getCString(name), "operator");
    clang_disposeString(name);
    return !is_operator;
}

/* Does the function's name stand in the text of what is called? */
static bool names_callee(const struct source_text *text, const struct fact_call *call,
                         CXCursor target)
{
    if (call->callee_end <= call->begin || call->callee_end >= text->size_bytes)
        return false;
    if (clang_Cursor_isNull(target) || !is_plain_call(target))
        return true;
    CXString name = clang_getCursorSpelling(target);
    bool named = source_has_word(text, call->begin, call->callee_end, clang_getCString(name));
    clang_disposeString(name);
    return named;
}

/* A macro that stands for this call and nothing else can be edited around, as the call can: the
 * text is that of its use, and has no arguments of the call. */
static enum obstacle macro_text(struct unit *unit, struct source_file *file, CXCursor target,
                                struct fact_call *call)
{
    struct expansion_list *uses = &file->expansions;
    uint32_t at = expansion_list_at(uses, call->begin);
    bool within = at > 1 && uses->items[at - 2].begin == call->begin; /* another macro's body */
    if (within || clang_Cursor_isNull(target) || !is_plain_call(target))
        return OBSTACLE_FROM_MACRO;
    CXString name = clang_getCursorSpelling(target);
    bool is = macro_table_is_call(&unit->macro_table, call->macro, clang_getCString(name));
    clang_disposeString(name);
    if (!is)
        return OBSTACLE_FROM_MACRO;
    call->end = uses->items[at - 1].end;
    call->macro_safe = source_macro_safe(&file->text, call->begin, call->end);
    return argument_obstacle(unit, uses, uses->items[at - 1].around);
}

/* Fill in the offsets of the call's text; returns why it can't be edited. */
static enum obstacle call_text(struct walk *walk, CXCursor callee, CXCursor target,
                               struct fact_call *call)
{
    struct unit *unit = walk->unit;
    struct source_file *file = walk->body->file;
    struct place begin = place_begin(unit, walk->node), end = place_end(unit, walk->node);
    struct place callee_end = place_end(unit, callee);
    call->line = begin.line;
    call->begin = begin.offset;
    call->end = end.offset;
    call->callee_end = callee_end.offset;
    if (begin.file != file || end.file != file || callee_end.file != file)
        return OBSTACLE_OTHER_FILE;
    call->macro = expansion_list_starting_at(&file->expansions, begin.offset);
    if (call->macro)
        return macro_text(unit, file, target, call);
    enum obstacle obstacle = place_obstacle(unit, &begin);
    if (obstacle)
        return obstacle;
    if (!names_callee(&file->text, call, target))
        return OBSTACLE_NAME_FROM_MACRO;
    struct token open = source_token(&file->text, call->callee_end);
    uint32_t close =
        token_is(&file->text, &open, "(") ? source_match(&file->text, open.begin) : SOURCE_NOWHERE;
    if (close == SOURCE_NOWHERE || close + 1 != call->end)
        return OBSTACLE_PARENTHESES_FROM_MACRO;
    call->open = open.begin;
    for (struct token token = open; token.begin < close;
         token = source_token(&file->text, token.end))
        if (token.kind == TOKEN_DIRECTIVE)
            return OBSTACLE_DIRECTIVE;
    call->callee_macro_safe = source_macro_safe(&file->text, call->begin, call->callee_end);
    call->macro_safe = source_macro_safe(&file->text, call->begin, call->end);
    return OBSTACLE_NONE;
}

static bool is_copyable(const struct unit *unit, CXCursor argument, CXType function, int index)
{
    CXCursor inner = argument;
    while (clang_getCursorKind(inner) == CXCursor_UnexposedExpr ||
           clang_getCursorKind(inner) == CXCursor_ParenExpr)
        inner = first_child(inner);
    CXType type = clang_getCanonicalType(clang_getCursorType(inner));
    CXCursor member = clang_getCursorReferenced(inner);
    if (clang_getCursorKind(member) == CXCursor_FieldDecl && clang_Cursor_isBitField(member))
        return false;
    if (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
        type.kind == CXType_VariableArray || type.kind == CXType_Void)
        return false;
    bool fixed = index < clang_getNumArgTypes(function);
    if (fixed && type.kind == CXType_Pointer && clang_isFunctionTypeVariadic(function))
        return false; /* a format that the compiler checks */
    if (!unit->cplusplus)
        return true;
    return is_scalar(clang_getCursorType(argument)) && is_scalar(type) &&
           (!fixed || is_scalar(clang_getArgType(function, (unsigned)index)));
}

static void call_arguments(struct walk *walk, struct call_walk *inner, CXType function,
                           struct fact_call *call)
{
    enum { MOST = 64 };
    struct source_argument texts[MOST];
    uint32_t close = call->end - 1;
    uint32_t count = source_arguments(&walk->body->file->text, call->open, close, texts, MOST);
    uint32_t known = (uint32_t)inner->argument_count;
    if (count > MOST || count > known || (count < known && !walk->unit->cplusplus))
        return;
    call->arguments = ARENA_ARRAY(&walk->unit->facts->arena, struct fact_argument, count + 1);
    call->argument_count = count;
    for (uint32_t i = 0; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(walk->node, i);
        struct place begin = place_begin(walk->unit, argument);
        CXType type = clang_getCanonicalType(clang_getCursorType(argument));
        call->arguments[i] = (struct fact_argument){
            .begin = texts[i].begin,
            .end = texts[i].end,
            .macro_safe = texts[i].macro_safe && begin.offset >= texts[i].begin &&
                          begin.offset < texts[i].end,
            .calls = inner->argument_found[i] & FOUND_CALL,
            .copyable = !(inner->argument_found[i] & FOUND_TEMPORARY) &&
                        is_copyable(walk->unit, argument, function, (int)i),
            .scalar = is_scalar(type),
            .pointer = type.kind == CXType_Pointer,
        };
    }
}

static bool has_index(const uint32_t *indices, size_t count, uint32_t index)
{
    while (count)
        if (indices[--count] == index)
            return true;
    return false;
}

static void note_referenced(struct body *body, uint32_t function)
{
    if (function != FUNCTION_NONE && !has_index(body->references, body->reference_count, function))
        VEC_PUSH(body->references, body->reference_count, body->reference_capacity) = function;
}

static void note_callee(struct body *body, uint32_t callee)
{
    crowd_add(&body->crowd, callee, NULL);
    if (!has_index(body->callees, body->callee_count, callee))
        VEC_PUSH(body->callees, body->callee_count, body->callee_capacity) = callee;
}

static void note_virtual(struct body *body, uint32_t callee)
{
    body->indirect = true;
    if (!has_index(body->virtuals, body->virtual_count, callee))
        VEC_PUSH(body->virtuals, body->virtual_count, body->virtual_capacity) = callee;
}

static bool is_pointer_call(CXCursor callee)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(callee));
    if (type.kind != CXType_Pointer)
        return false;
    enum CXTypeKind kind = clang_getPointeeType(type).kind;
    return kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
}

/* The operator syntax always calls virtually, and libclang doesn't say so. */
static bool is_virtual_call(CXCursor call, CXCursor target, bool operator_syntax)
{
    return clang_Cursor_isDynamicCall(call) ||
           (operator_syntax && clang_CXXMethod_isVirtual(target));
}

/* The text of what is called, for a call whose callee is not known. */
static const char *callee_text(struct walk *walk, const struct fact_call *call)
{
    enum { MOST_BYTES = 60 };
    const struct source_text *text = &walk->body->file->text;
    uint32_t end = call->callee_end;
    if (call->text_obstacle || end <= call->begin || end - call->begin > MOST_BYTES ||
        memchr(text->data + call->begin, '\n', end - call->begin))
        return NULL;
    return arena_strndup(&walk->unit->facts->arena, text->data + call->begin, end - call->begin);
}

static void add_call(struct walk *walk, struct call_walk *inner, CXCursor target,
                     uint32_t callee_index)
{
    struct unit *unit = walk->unit;
    bool named = !clang_Cursor_isNull(target);
    struct fact_call call = {.callee = callee_index};
    call.dynamic = named && is_virtual_call(walk->node, target, inner->no_callee);
    if (call.dynamic)
        unit->facts->functions[callee_index].address_taken = true;
    call.pointer = !named && is_pointer_call(inner->callee);
    call.text_obstacle = call_text(walk, inner->callee, target, &call);
    CXType function = function_type(target, inner->callee);
    CXType result = clang_getCursorType(walk->node);
    call.void_result = clang_getCanonicalType(result).kind == CXType_Void;
    call.scalar_result = is_scalar(result);
    CXType returned = clang_getCanonicalType(clang_getResultType(function));
    call.reference = returned.kind == CXType_LValueReference;
    call.value_obstacle =
        value_obstacle(walk, &call, function, named ? &unit->traits[callee_index] : NULL);
    if (!named && !call.pointer)
        call.name = callee_text(walk, &call);
    if (!call.text_obstacle && !call.macro && !inner->no_callee &&
        !(walk->context & IN_NAMED_REGION))
        call_arguments(walk, inner, function, &call);
    VEC_PUSH(walk->body->calls, walk->body->call_count, walk->body->call_capacity) = call;
    VEC_PUSH(walk->body->nodes, walk->body->node_count, walk->body->node_capacity) = walk->node;
}

static bool is_call_operator(CXCursor target)
{
    CXString name = clang_getCursorSpelling(target);
    bool is = strcmp(clang_getCString(name), "operator()") == 0;
    clang_disposeString(name);
    return is;
}

/* In a template: all functions of that name, of which one is called. Gives the first. */
static CXCursor note_overloads(struct walk *walk, CXCursor callee)
{
    CXCursor named = clang_getCursorReferenced(callee), first = clang_getNullCursor();
    unsigned count = clang_getCursorKind(named) == CXCursor_OverloadedDeclRef
                         ? clang_getNumOverloadedDecls(named)
                         : 0;
    for (unsigned i = 0; i < count; i++) {
        CXCursor one = clang_getOverloadedDecl(named, i);
        if (!is_function(clang_getCursorKind(one)))
            continue;
        uint32_t index = unit_function(walk->unit, one);
        walk->unit->facts->functions[index].address_taken = true;
        if (walk->unit->traits[index].ignored)
            continue;
        note_callee(walk->body, index);
        first = one;
    }
    return first;
}

/* Through a pointer, or of what a template parameter decides. */
static void note_unknown_call(struct walk *walk, struct call_walk *inner)
{
    if ((inner->callee_found & FOUND_HOOKS) || clang_isInvalid(inner->callee.kind))
        return;
    bool known = is_pointer_call(inner->callee) ||
                 clang_getCursorKind(strip(inner->callee)) == CXCursor_BinaryOperator;
    if (!known && clang_getCursorType(walk->node).kind != CXType_Dependent)
        return;
    CXCursor first = note_overloads(walk, inner->callee);
    CXCursor named = clang_getCursorReferenced(inner->callee);
    if (clang_Cursor_isNull(first) && clang_getCursorKind(named) == CXCursor_OverloadedDeclRef)
        return;
    walk->found |= FOUND_CALL;
    walk->body->indirect |= clang_Cursor_isNull(first);
    add_call(walk, inner, first,
             clang_Cursor_isNull(first) ? FUNCTION_NONE : unit_function(walk->unit, first));
}

static void note_call(struct walk *walk, struct call_walk *inner)
{
    CXCursor target = called_function(walk->node, inner->callee);
    if (clang_Cursor_isNull(target)) {
        note_unknown_call(walk, inner);
        return;
    }
    uint32_t callee = unit_function(walk->unit, target);
    note_sync(walk->unit, target);
    if (walk->unit->traits[callee].ignored)
        return;
    walk->found |= FOUND_CALL;
    note_callee(walk->body, callee);
    if (is_virtual_call(walk->node, target, inner->no_callee))
        note_virtual(walk->body, callee);
    if (is_lambda(target) && is_constant(walk->node))
        walk->unit->facts->functions[callee].obstacle = OBSTACLE_CALL_IS_CONSTANT;
    if (inner->no_callee && is_call_operator(target))
        inner->callee = first_child(walk->node);
    else if (!inner->has_callee || !is_plain_call(target))
        return;
    add_call(walk, inner, target, callee);
}

/* Destructors: nothing in the text calls them ------------------------------------------------- */

/* An object's end: of one type, and of what it holds. */
struct ending {
    struct walk *walk;
    CXCursor destructor; /* that the class declares */
    int depth;           /* of members in members that are looked at */
};

static void note_ending(struct walk *walk, CXType type, bool behind, int depth);

static enum CXChildVisitResult take_destructor(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct ending *ending = data;
    if (clang_getCursorKind(cursor) == CXCursor_Destructor && !clang_CXXMethod_isDefaulted(cursor))
        ending->destructor = cursor;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult note_member_ending(CXCursor cursor, CXCursor parent,
                                                  CXClientData data)
{
    (void)parent;
    struct ending *ending = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_FieldDecl || kind == CXCursor_CXXBaseSpecifier)
        note_ending(ending->walk, clang_getCursorType(cursor), false, ending->depth);
    return CXChildVisit_Continue;
}

static void note_destructor(struct walk *walk, CXCursor destructor, bool behind)
{
    uint32_t index = unit_function(walk->unit, destructor);
    walk->unit->facts->functions[index].address_taken = true;
    note_callee(walk->body, index);
    if (behind && clang_CXXMethod_isVirtual(destructor))
        note_virtual(walk->body, index);
}

/* A library's container or pointer ends what its parameters name. Behind a pointer the object may
 * be of a derived class. */
static void note_ending(struct walk *walk, CXType type, bool behind, int depth)
{
    type = clang_getCanonicalType(type);
    while (type.kind == CXType_ConstantArray)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    if (type.kind != CXType_Record || depth == 0)
        return;
    CXCursor class = clang_getTypeDeclaration(type);
    if (!place_of(walk->unit, clang_getCursorLocation(class)).file) {
        int count = clang_Type_getNumTemplateArguments(type);
        for (int i = 0; i < count; i++)
            note_ending(walk, clang_Type_getTemplateArgumentAsType(type, (unsigned)i), true,
                        depth - 1);
        return;
    }
    CXCursor pattern = clang_getSpecializedCursorTemplate(class);
    if (!clang_Cursor_isNull(pattern))
        class = pattern;
    struct ending ending = {walk, clang_getNullCursor(), depth - 1};
    clang_visitChildren(class, take_destructor, &ending);
    if (!clang_Cursor_isNull(ending.destructor))
        note_destructor(walk, ending.destructor, behind);
    else
        clang_visitChildren(class, note_member_ending, &ending);
}

enum { ENDING_DEPTH = 4 };

/* The variable's own function: `int i __attribute__((cleanup(f)))`, of which libclang shows the
 * name alone. */
static void note_cleanup(struct walk *walk)
{
    if (clang_getCursorKind(walk->node) != CXCursor_VarDecl || !clang_Cursor_hasAttrs(walk->node))
        return;
    struct str text = {0};
    declaration_text(walk->node, &text);
    const char *at = strstr(text.data, "cleanup(");
    size_t length = at ? strcspn(at += strlen("cleanup("), ")") : 0;
    if (length)
        crowd_add(&walk->body->crowd, FUNCTION_NONE,
                  arena_strndup(&walk->unit->facts->arena, at, length));
    str_release(&text);
}

/* A variable, what `delete` is given, or what a destructor's class holds. */
static void note_endings(struct walk *walk)
{
    enum CXCursorKind kind = clang_getCursorKind(walk->node);
    if (kind == CXCursor_VarDecl) {
        note_ending(walk, clang_getCursorType(walk->node), false, ENDING_DEPTH);
    } else if (kind == CXCursor_CXXDeleteExpr) {
        CXType pointer = clang_getCanonicalType(clang_getCursorType(first_child(walk->node)));
        note_ending(walk, clang_getPointeeType(pointer), true, ENDING_DEPTH);
    } else if (kind == CXCursor_Destructor) {
        struct ending ending = {walk, walk->node, ENDING_DEPTH};
        clang_visitChildren(clang_getCursorSemanticParent(walk->node), note_member_ending, &ending);
    }
}

/* Bodies -------------------------------------------------------------------------------------- */

static enum CXChildVisitResult walk_child(CXCursor cursor, CXCursor parent, CXClientData data);
static void visit_function(struct unit *unit, CXCursor cursor);

/* A lambda's captures are evaluated where it stands; its body is a function of its own. */
static enum CXChildVisitResult walk_capture(CXCursor cursor, CXCursor parent, CXClientData data)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool own = kind == CXCursor_CompoundStmt || kind == CXCursor_ParmDecl;
    return own ? CXChildVisit_Continue : walk_child(cursor, parent, data);
}

static enum CXChildVisitResult take_call_operator(CXCursor cursor, CXCursor parent,
                                                  CXClientData data)
{
    (void)parent;
    if (!is_function(clang_getCursorKind(cursor)) || !is_call_operator(cursor))
        return CXChildVisit_Continue;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

/* FUNCTION_NONE: libclang doesn't show its body. */
static uint32_t visit_lambda(struct unit *unit, CXCursor lambda)
{
    CXCursor function = clang_getNullCursor();
    CXCursor type = clang_getTypeDeclaration(clang_getCursorType(lambda));
    clang_visitChildren(type, take_call_operator, &function);
    if (clang_Cursor_isNull(function))
        return FUNCTION_NONE;
    visit_function(unit, function);
    uint32_t index = unit_function(unit, function);
    unit->facts->functions[index].handles_signals |= has_handler_type(function);
    if (unit->constant)
        unit->facts->functions[index].obstacle = OBSTACLE_IN_CONSTANT;
    return index;
}

static void walk_lambda(struct walk *walk)
{
    struct facts *facts = walk->unit->facts;
    uint32_t lambda = visit_lambda(walk->unit, walk->node);
    walk->context |= IN_CAPTURE;
    clang_visitChildren(walk->node, walk_capture, walk);
    if (lambda == FUNCTION_NONE)
        return;
    note_callee(walk->body, lambda);
    note_referenced(walk->body, lambda);
    facts->functions[lambda].address_taken = facts->functions[lambda].referenced = true;
    uint32_t begin = place_begin(walk->unit, walk->node).offset;
    enum obstacle around = facts->functions[walk->body->function].obstacle;
    if ((walk->context & UNEVALUATED) || unevaluated_holds(&walk->body->unevaluated, begin))
        facts->functions[lambda].obstacle = OBSTACLE_UNEVALUATED;
    else if (walk->context & IN_CONSTANT)
        facts->functions[lambda].obstacle = OBSTACLE_IN_CONSTANT;
    else if (around == OBSTACLE_CONSTEXPR || around == OBSTACLE_CONSTEVAL)
        facts->functions[lambda].obstacle = around;
}

static enum CXChildVisitResult visit_local_class(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    (void)parent;
    if (is_function(clang_getCursorKind(cursor)))
        visit_function(data, cursor);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult note_call_operator(CXCursor cursor, CXCursor parent,
                                                  CXClientData data)
{
    (void)parent;
    struct walk *walk = data;
    if (is_function(clang_getCursorKind(cursor)) && is_call_operator(cursor))
        note_referenced(walk->body, note_address(walk->unit, cursor));
    return CXChildVisit_Continue;
}

/* An object that can be called, in the hands of a library: std::sort(a, b, Less()). Lambdas are
 * noted where they stand. */
static void note_given_objects(struct walk *walk, int argument_count)
{
    CXCursor called = clang_getCursorReferenced(walk->node);
    if (clang_Cursor_isNull(called) || place_of(walk->unit, clang_getCursorLocation(called)).file)
        return;
    for (int i = 0; i < argument_count; i++) {
        CXCursor argument = clang_Cursor_getArgument(walk->node, (unsigned)i);
        CXType type = clang_getCanonicalType(clang_getCursorType(argument));
        if (type.kind != CXType_Record)
            continue;
        CXCursor class = clang_getTypeDeclaration(type);
        CXCursor pattern = clang_getSpecializedCursorTemplate(class);
        if (!clang_Cursor_isNull(pattern))
            class = pattern;
        if (place_of(walk->unit, clang_getCursorLocation(class)).file)
            clang_visitChildren(class, note_call_operator, walk);
    }
}

/* Below a variable's declaration two cursors of one expression are not equal. */
static bool is_same_text(CXCursor a, CXCursor b)
{
    return clang_getCursorKind(a) == clang_getCursorKind(b) &&
           clang_equalRanges(clang_getCursorExtent(a), clang_getCursorExtent(b));
}

static void walk_call(struct walk *walk)
{
    struct call_walk inner = {.callee = clang_getNullCursor(),
                              .argument_count = clang_Cursor_getNumArguments(walk->node)};
    unsigned found[64];
    if (inner.argument_count < 0)
        inner.argument_count = 0;
    inner.argument_found = inner.argument_count <= 64
                               ? memset(found, 0, sizeof found)
                               : memory_zeroed((size_t)inner.argument_count * sizeof(unsigned));
    inner.no_callee =
        inner.argument_count > 0 &&
        is_same_text(first_child(walk->node), clang_Cursor_getArgument(walk->node, 0));
    walk->call = &inner;
    clang_visitChildren(walk->node, walk_child, walk);
    walk->call = NULL;
    note_call(walk, &inner);
    if (walk->unit->cplusplus && !(walk->context & UNEVALUATED))
        note_given_objects(walk, inner.argument_count);
    if (inner.argument_found != found)
        memory_free(inner.argument_found);
}

/* A statement of a block. A label's is the one that it stands before. */
static void note_statement(struct walk *up, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    while (kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt ||
           kind == CXCursor_LabelStmt) {
        cursor = last_child(cursor);
        kind = clang_getCursorKind(cursor);
    }
    if (clang_Cursor_isNull(cursor))
        return;
    struct place place = place_begin(up->unit, cursor);
    if (place.file != up->body->file || place.in_argument ||
        (up->unit->openmp && openmp_before(&place.file->text, place.offset)))
        return; /* nothing may come between a directive and what it is about */
    struct fact_statement statement = {place.line, place.offset, kind == CXCursor_DeclStmt};
    VEC_PUSH(up->body->statements, up->body->statement_count, up->body->statement_capacity) =
        statement;
}

static void note_reference(struct walk *walk)
{
    CXString text = clang_getCursorSpelling(walk->node);
    const char *name = clang_getCString(text);
    if (strcmp(name, "vprof_hooks_1") == 0)
        walk->found |= FOUND_HOOKS;
    else if (strcmp(name, "VPROF_MARK_BEGIN") == 0 || strcmp(name, "VPROF_MARK_END") == 0 ||
             strcmp(name, "VPROF_MARK_ENTER") == 0)
        walk->body->marks = true;
    clang_disposeString(text);
    CXCursor named = clang_getCursorReferenced(walk->node);
    note_sync(walk->unit, named);
    if (!(walk->context & (IN_CALLEE | UNEVALUATED)))
        note_referenced(walk->body, note_address(walk->unit, named));
}

/* A call that returns a reference makes no object. */
static bool returns_reference(CXCursor call)
{
    CXCursor called = clang_getCursorReferenced(call);
    CXType result = clang_getCanonicalType(clang_getCursorResultType(called));
    return result.kind == CXType_LValueReference || result.kind == CXType_RValueReference;
}

static void note_temporary(struct walk *walk)
{
    enum CXCursorKind kind = clang_getCursorKind(walk->node);
    bool call = kind == CXCursor_CallExpr;
    bool maybe = call || kind == CXCursor_InitListExpr || kind == CXCursor_CXXFunctionalCastExpr;
    CXType type = clang_getCanonicalType(clang_getCursorType(walk->node));
    bool object = maybe && type.kind == CXType_Record && !(call && returns_reference(walk->node));
    if (object || kind == CXCursor_LambdaExpr)
        walk->found |= FOUND_TEMPORARY;
}

/* do ... while (0) */
static bool is_once(CXCursor loop)
{
    if (clang_getCursorKind(loop) != CXCursor_DoStmt)
        return false;
    CXEvalResult result = clang_Cursor_Evaluate(last_child(loop));
    bool once = result && clang_EvalResult_getKind(result) == CXEval_Int &&
                clang_EvalResult_getAsLongLong(result) == 0;
    if (result)
        clang_EvalResult_dispose(result);
    return once;
}

static bool goes_back(struct unit *unit, CXCursor jump)
{
    CXCursor label = clang_getCursorReferenced(first_child(jump));
    return place_begin(unit, label).offset <= place_begin(unit, jump).offset;
}

static void note_unbounded(struct walk *walk)
{
    switch (clang_getCursorKind(walk->node)) {
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_CXXForRangeStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_CXXNewExpr:
    case CXCursor_CXXDeleteExpr:
    case CXCursor_CXXThrowExpr:
        walk->body->unbounded = true;
        break;
    case CXCursor_DoStmt:
        walk->body->unbounded |= !is_once(walk->node);
        break;
    case CXCursor_GotoStmt:
        walk->body->unbounded |= goes_back(walk->unit, walk->node);
        break;
    default:
        break;
    }
}

static void walk_into(struct walk *walk)
{
    switch (clang_getCursorKind(walk->node)) {
    case CXCursor_CallExpr:
        walk_call(walk);
        break;
    case CXCursor_ClassDecl:
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        clang_visitChildren(walk->node, visit_local_class, walk->unit);
        return;
    case CXCursor_LambdaExpr:
        walk_lambda(walk);
        break;
    case CXCursor_UnaryExpr:
    case CXCursor_CXXTypeidExpr:
        walk->context |= UNEVALUATED;
        clang_visitChildren(walk->node, walk_child, walk);
        break;
    case CXCursor_CompoundLiteralExpr:
        clang_visitChildren(walk->node, walk_child, walk);
        walk->found |= FOUND_LITERAL;
        break;
    case CXCursor_DeclRefExpr:
        note_reference(walk);
        break;
    case CXCursor_TypeRef:
    case CXCursor_TemplateRef:
        note_sync(walk->unit, clang_getCursorReferenced(walk->node));
        break;
    default:
        clang_visitChildren(walk->node, walk_child, walk);
    }
    note_cleanup(walk);
    if (walk->unit->cplusplus) {
        note_temporary(walk);
        note_endings(walk);
    }
}

static void note_call_child(struct walk *up, const struct walk *down)
{
    struct call_walk *call = up->call;
    if (!call->has_callee && !call->no_callee) {
        call->has_callee = true;
        call->callee = down->node;
        call->callee_found = down->found;
        return;
    }
    for (int i = call->next; i < call->argument_count; i++)
        if (is_same_text(down->node, clang_Cursor_getArgument(up->node, (unsigned)i))) {
            call->argument_found[i] = down->found;
            call->next = i + 1;
            return;
        }
}

/* A variable that must be a constant; by its text, because a lambda may be one without saying. */
static bool is_constexpr(struct unit *unit, CXCursor declaration)
{
    struct place begin = place_begin(unit, declaration);
    struct place name = place_of(unit, clang_getCursorLocation(declaration));
    return begin.file && begin.file == name.file &&
           source_has_word(&begin.file->text, begin.offset, name.offset, "constexpr");
}

/* FULL_EXPRESSION where a child of `parent` is one, and DISCARDED. A range-based for keeps the
 * objects of its range. */
static unsigned full_expression(const struct walk *up, CXCursor parent)
{
    enum CXCursorKind kind = clang_getCursorKind(parent);
    if (kind == CXCursor_UnexposedExpr)
        return up->context & (FULL_EXPRESSION | DISCARDED);
    if (kind == CXCursor_CompoundStmt && !(up->context & IN_VALUE))
        return FULL_EXPRESSION | DISCARDED;
    bool statement = clang_isStatement(kind) && kind != CXCursor_CXXForRangeStmt;
    return statement || kind == CXCursor_VarDecl ? FULL_EXPRESSION : 0;
}

/* What the directives before a statement say of the text in it. */
static unsigned directive_context(struct unit *unit, CXCursor statement)
{
    struct place place = place_begin(unit, statement);
    unsigned uses = place.file ? openmp_before(&place.file->text, place.offset) : 0;
    return (uses & OPENMP_NAMED ? IN_NAMED_REGION : 0) |
           (uses & OPENMP_VECTOR ? IN_VECTOR_LOOP : 0);
}

static enum CXChildVisitResult walk_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct walk *up = data;
    struct walk down = {.unit = up->unit, .body = up->body, .context = up->context, .node = cursor};
    bool callee = up->call ? !up->call->has_callee && !up->call->no_callee
                           : (up->context & IN_CALLEE) && is_transparent(up->node);
    down.context = callee ? down.context | IN_CALLEE : down.context & ~(unsigned)IN_CALLEE;
    enum CXCursorKind around = clang_getCursorKind(up->node);
    bool object = around == CXCursor_MemberRefExpr
                      ? up->context & IN_CALLEE
                      : (up->context & IN_OBJECT) &&
                            (around == CXCursor_UnexposedExpr || around == CXCursor_ParenExpr);
    down.context = object ? down.context | IN_OBJECT : down.context & ~(unsigned)IN_OBJECT;
    down.context &= ~(unsigned)(FULL_EXPRESSION | DISCARDED);
    down.context |= full_expression(up, parent);
    if (clang_getCursorKind(cursor) == CXCursor_StmtExpr)
        down.context |= IN_VALUE;
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl && is_constexpr(up->unit, cursor))
        down.context |= IN_CONSTANT;
    if (up->unit->openmp && clang_isStatement(clang_getCursorKind(parent)))
        down.context |= directive_context(up->unit, cursor);
    if (clang_getCursorKind(parent) == CXCursor_CompoundStmt)
        note_statement(up, cursor);
    note_unbounded(&down);
    walk_into(&down);
    if (up->call)
        note_call_child(up, &down);
    up->found |= down.found;
    return CXChildVisit_Continue;
}

struct numbered {
    struct fact_call call;
    CXCursor node;
};

static int compare_numbered(const void *a, const void *b)
{
    const struct fact_call *x = &((const struct numbered *)a)->call;
    const struct fact_call *y = &((const struct numbered *)b)->call;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->callee_end != y->callee_end)
        return x->callee_end < y->callee_end ? -1 : 1;
    return (x->callee > y->callee) - (x->callee < y->callee);
}

/* Sorts the calls; one text that gave several calls is kept once and can't be edited. */
static void finish_calls(struct arena *arena, struct body *body, struct fact_function *function)
{
    struct numbered *all = memory_alloc((body->call_count + 1) * sizeof *all);
    for (size_t i = 0; i < body->call_count; i++)
        all[i] = (struct numbered){body->calls[i], body->nodes[i]};
    qsort(all, body->call_count, sizeof *all, compare_numbered);
    function->calls = ARENA_ARRAY(arena, struct fact_call, body->call_count + 1);
    const struct numbered *last = NULL;
    for (size_t i = 0; i < body->call_count; i++) {
        struct fact_call *kept = function->calls + function->call_count;
        bool same = last && last->call.begin == all[i].call.begin &&
                    last->call.callee_end == all[i].call.callee_end;
        if (same && !clang_equalCursors(last->node, all[i].node) && !kept[-1].text_obstacle)
            kept[-1].text_obstacle = OBSTACLE_MACRO_REPEATS;
        if (!same || (all[i].call.macro && all[i].call.callee != last->call.callee)) {
            *kept = all[i].call;
            function->call_count++;
        }
        last = &all[i];
    }
    memory_free(all);
}

static int compare_offsets(const void *a, const void *b)
{
    const struct fact_statement *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void finish_body(struct unit *unit, struct body *body)
{
    struct arena *arena = &unit->facts->arena;
    struct fact_function *function = &unit->facts->functions[body->function];
    finish_calls(arena, body, function);
    function->marks = body->marks;
    function->indirect_calls = body->indirect;
    function->unbounded = body->unbounded;
    function->callees = ARENA_ARRAY(arena, uint32_t, body->callee_count + 1);
    function->callee_count = (uint32_t)body->callee_count;
    if (body->callee_count)
        memcpy(function->callees, body->callees, body->callee_count * sizeof *body->callees);
    function->references = ARENA_ARRAY(arena, uint32_t, body->reference_count + 1);
    function->reference_count = (uint32_t)body->reference_count;
    if (body->reference_count)
        memcpy(function->references, body->references,
               body->reference_count * sizeof *body->references);
    function->virtuals = ARENA_ARRAY(arena, uint32_t, body->virtual_count + 1);
    function->virtual_count = (uint32_t)body->virtual_count;
    if (body->virtual_count)
        memcpy(function->virtuals, body->virtuals, body->virtual_count * sizeof *body->virtuals);
    function->statements = ARENA_ARRAY(arena, struct fact_statement, body->statement_count + 1);
    function->statement_count = (uint32_t)body->statement_count;
    if (body->statement_count) {
        qsort(body->statements, body->statement_count, sizeof *body->statements, compare_offsets);
        memcpy(function->statements, body->statements,
               body->statement_count * sizeof *body->statements);
    }
    memory_free(body->calls);
    memory_free(body->nodes);
    memory_free(body->statements);
    memory_free(body->callees);
    memory_free(body->virtuals);
    memory_free(body->references);
    if (crowd_is_large(&body->crowd))
        VEC_PUSH(unit->crowds, unit->crowd_count, unit->crowd_capacity) = body->crowd;
    else
        crowd_release(&body->crowd);
    unevaluated_release(&body->unevaluated);
}

struct find_block {
    CXCursor block;
    bool found, tried;
};

static enum CXChildVisitResult find_block(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct find_block *find = data;
    if (clang_getCursorKind(cursor) == CXCursor_CXXTryStmt) {
        find->tried = true;
        return CXChildVisit_Recurse;
    }
    if (clang_getCursorKind(cursor) == CXCursor_UnexposedStmt) /* a coroutine's, around its block */
        return CXChildVisit_Recurse;
    if (clang_getCursorKind(cursor) != CXCursor_CompoundStmt || find->found)
        return CXChildVisit_Continue;
    find->block = cursor;
    find->found = true;
    return CXChildVisit_Break;
}

static enum obstacle declared_obstacle(const struct unit *unit, CXCursor cursor)
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
    /* A lambda is printed as constexpr wherever it could be. */
    for (size_t i = is_lambda(cursor) ? 2 : 0; i < sizeof WORDS / sizeof WORDS[0] && !obstacle; i++)
        if (strstr(text.data, WORDS[i].word))
            obstacle = WORDS[i].obstacle;
    str_release(&text);
    if (!obstacle && !unit->cplusplus && clang_Cursor_isFunctionInlined(cursor) &&
        !is_local(cursor))
        obstacle = OBSTACLE_EXTERN_INLINE;
    return obstacle;
}

static bool is_coroutine(const struct source_text *text, uint32_t begin, uint32_t end)
{
    return source_has_word(text, begin, end, "co_await") ||
           source_has_word(text, begin, end, "co_yield") ||
           source_has_word(text, begin, end, "co_return");
}

static enum obstacle body_obstacle(struct unit *unit, CXCursor cursor, const struct place *begin,
                                   uint32_t end)
{
    const struct source_text *text = &begin->file->text;
    if (begin->offset >= text->size_bytes || text->data[begin->offset] != '{' ||
        expansion_list_starting_at(&begin->file->expansions, begin->offset))
        return OBSTACLE_BODY_FROM_MACRO;
    enum obstacle obstacle = place_obstacle(unit, begin);
    if (!obstacle)
        obstacle = declared_obstacle(unit, cursor);
    if (obstacle)
        return obstacle;
    struct token first = source_token(text, begin->offset + 1);
    if (token_is(text, &first, "__label__"))
        return OBSTACLE_LABELS;
    if (first.kind == TOKEN_DIRECTIVE && source_has_word(text, first.begin + 1, first.end, "STDC"))
        return OBSTACLE_PRAGMA;
    if (unit->cplusplus && is_coroutine(text, begin->offset, end))
        return OBSTACLE_COROUTINE;
    struct place name = place_of(unit, clang_getCursorLocation(cursor));
    if (is_lambda(cursor) && (source_has_word(text, name.offset, begin->offset, "constexpr") ||
                              source_has_word(text, name.offset, begin->offset, "consteval")))
        return OBSTACLE_CONSTEXPR;
    return OBSTACLE_NONE;
}

/* What stands before the block: a constructor's member initialisers. */
static enum CXChildVisitResult walk_outside(CXCursor cursor, CXCursor parent, CXClientData data)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt)
        return CXChildVisit_Continue;
    return clang_isExpression(kind) ? walk_child(cursor, parent, data) : CXChildVisit_Continue;
}

/* The macro whose use made this function. Where the function itself can't be timed, its order is
 * none, so that nothing goes into the macro. */
static void note_maker(struct unit *unit, CXCursor cursor, const struct place *begin,
                       struct fact_function *function)
{
    bool next = unit->maker == begin->file && unit->maker_offset == begin->offset;
    function->macro_order = unit->maker_order = next ? unit->maker_order + 1 : 0;
    unit->maker = begin->file;
    unit->maker_offset = begin->offset;
    const struct source_text *text = &begin->file->text;
    struct token name = source_token(text, begin->offset), open = source_token(text, name.end);
    uint32_t end = token_is(text, &open, "(") ? source_match(text, open.begin) : name.end;
    if (name.kind != TOKEN_WORD || name.begin != begin->offset || end == SOURCE_NOWHERE ||
        !expansion_list_starting_at(&begin->file->expansions, begin->offset))
        return;
    if (declared_obstacle(unit, cursor))
        function->macro_order = FACT_NO_ORDER;
    function->macro =
        arena_strndup(&unit->facts->arena, text->data + name.begin, name.end - name.begin);
    clang_getPresumedLocation(clang_getCursorLocation(cursor), NULL, &function->macro_line, NULL);
    function->macro_line_end = function->macro_line;
    for (uint32_t i = name.begin; i < end; i++)
        function->macro_line_end += text->data[i] == '\n';
}

static void note_parameters(struct unit *unit, CXCursor cursor, struct fact_function *function)
{
    int count = clang_Cursor_getNumArguments(cursor); /* -1: a template */
    function->parameter_count = count > 0 ? (uint32_t)count : 0;
    function->parameters =
        ARENA_ARRAY(&unit->facts->arena, struct fact_parameter, function->parameter_count + 1);
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(cursor, i);
        CXType type = clang_getCanonicalType(clang_getCursorType(parameter));
        function->parameters[i].scalar = is_scalar(type);
        function->parameters[i].pointer = type.kind == CXType_Pointer;
        take_text(clang_getCursorSpelling(parameter), &unit->facts->arena,
                  &function->parameters[i].name);
    }
}

/* The members that a virtual one overrides, whether its body is here or not. */
static void note_overrides(struct unit *unit, CXCursor cursor)
{
    CXCursor *overridden;
    unsigned count;
    clang_getOverriddenCursors(cursor, &overridden, &count);
    uint32_t index =
        count && !clang_CXXMethod_isDefaulted(cursor) ? unit_function(unit, cursor) : FUNCTION_NONE;
    if (index != FUNCTION_NONE && !unit->facts->functions[index].override_count) {
        uint32_t *list = ARENA_ARRAY(&unit->facts->arena, uint32_t, count);
        bool library = false;
        for (unsigned i = 0; i < count; i++) {
            list[i] = unit_function(unit, overridden[i]);
            library |= unit->facts->functions[list[i]].foreign;
        }
        unit->facts->functions[index].overrides = list;
        unit->facts->functions[index].override_count = count;
        unit->facts->functions[index].referenced |=
            library && clang_getCursorKind(cursor) != CXCursor_Destructor;
    }
    clang_disposeOverriddenCursors(overridden);
}

/* Only gcc's calls of its library are known. */
static void note_team(const struct unit *unit, const struct source_text *text, uint32_t begin,
                      uint32_t end, struct fact_function *function)
{
    const struct compile_command *command = unit->command;
    const char *compiler = command->argument_count ? last_part(command->arguments[0]) : "";
    function->team = openmp_uses(text, begin, end) & OPENMP_TEAM;
    function->team_unseen =
        function->team && (strstr(compiler, "clang") || strcmp(compiler, "icx") == 0 ||
                           strcmp(compiler, "icpx") == 0);
}

static void visit_function(struct unit *unit, CXCursor cursor)
{
    struct find_block find = {0};
    if (unit->cplusplus)
        note_overrides(unit, cursor);
    clang_visitChildren(cursor, find_block, &find);
    if (!find.found || clang_CXXMethod_isDefaulted(cursor)) /* "= default" has no text of its own */
        return;
    struct place begin = place_begin(unit, find.block);
    uint32_t index = begin.file ? unit_function(unit, cursor) : FUNCTION_NONE;
    if (index == FUNCTION_NONE || unit->traits[index].ignored ||
        unit->facts->functions[index].file != FACT_NO_FILE)
        return;
    uint32_t end = place_end(unit, find.block).offset;
    struct body body = {.function = index, .file = begin.file};
    enum obstacle obstacle = body_obstacle(unit, cursor, &begin, end);
    struct fact_function *function = &unit->facts->functions[index];
    function->obstacle = find.tried ? OBSTACLE_TRY_BLOCK : obstacle;
    function->file = begin.file->fact;
    function->body = begin.offset;
    function->line = place_of(unit, clang_getCursorLocation(cursor)).line;
    if (function->obstacle == OBSTACLE_BODY_FROM_MACRO)
        note_maker(unit, cursor, &begin, function);
    note_parameters(unit, cursor, function);
    unevaluated_find(&body.unevaluated, &begin.file->text, begin.offset, end);
    if (unit->openmp)
        note_team(unit, &begin.file->text, begin.offset, end, function);
    struct walk walk = {.unit = unit, .body = &body, .context = OUTSIDE_BODY, .node = cursor};
    clang_visitChildren(cursor, walk_outside, &walk);
    if (unit->cplusplus)
        note_endings(&walk);
    walk.context = 0;
    walk.node = find.block;
    clang_visitChildren(find.block, walk_child, &walk);
    finish_body(unit, &body);
}

static enum CXChildVisitResult visit_declaration(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    (void)parent;
    struct unit *unit = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_MacroDefinition)
        note_definition(unit, cursor);
    else if (kind == CXCursor_MacroExpansion)
        note_expansion(unit, cursor);
    if (clang_isPreprocessing(kind) || !place_of(unit, clang_getCursorLocation(cursor)).file)
        return CXChildVisit_Continue;
    if (is_function(kind))
        visit_function(unit, cursor);
    else if (kind == CXCursor_VarDecl || kind == CXCursor_FieldDecl) {
        unit->constant = unit->cplusplus && is_constexpr(unit, cursor);
        clang_visitChildren(cursor, visit_initialiser, unit);
        unit->constant = false;
    } else if (is_scope(kind) || kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl ||
               kind == CXCursor_FriendDecl)
        return CXChildVisit_Recurse;
    return CXChildVisit_Continue;
}

/* Compilations -------------------------------------------------------------------------------- */

static void note_failure(struct facts *facts, const char *file, uint32_t line, const char *reason)
{
    facts->failures = ARENA_NEW(&facts->arena, struct fact_failure);
    facts->failures[0] = (struct fact_failure){arena_strdup(&facts->arena, file), line,
                                               arena_strdup(&facts->arena, reason)};
    facts->failure_count = 1;
}

/* The first error stands for all of them. */
static void note_errors(struct unit *unit)
{
    unsigned count = clang_getNumDiagnostics(unit->clang);
    for (unsigned i = 0; i < count && !unit->facts->failure_count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit->clang, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            struct place place = place_of(unit, clang_getDiagnosticLocation(diagnostic));
            CXString text = clang_getDiagnosticSpelling(diagnostic);
            const char *file =
                place.file ? unit->paths.text[place.file->fact] : unit->command->file;
            note_failure(unit->facts, file, place.line, clang_getCString(text));
            clang_disposeString(text);
        }
        clang_disposeDiagnostic(diagnostic);
    }
}

/* Inputs -------------------------------------------------------------------------------------- */

struct input_list {
    struct unit *unit;
    struct fact_input *items;
    size_t count, capacity;
    bool unknown; /* the text decides by something that can't be told from it */
};

void facts_parser_words(struct str *words)
{
    CXString version = clang_getClangVersion();
    str_append(words, clang_getCString(version));
    clang_disposeString(version);
    static const char *const NAMES[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                        "CCC_OVERRIDE_OPTIONS"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        str_printf(words, "\n%s", getenv(NAMES[i]) ? getenv(NAMES[i]) : "");
}

/* __has_include("x.h") looks for a file that may not be there. */
static void note_looked_for(struct input_list *list, const char *text, size_t size_bytes)
{
    static const char WORD[] = "__has_include";
    const char *end = text + size_bytes, *at = text;
    while ((at = memmem(at, (size_t)(end - at), WORD, strlen(WORD))) != NULL) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        const char *stop = line ? line : end, *open = at;
        while (open < stop && *open != '<' && *open != '"')
            open++;
        const char *close = open + 1;
        while (close < stop && *close != (*open == '<' ? '>' : '"'))
            close++;
        list->unknown = list->unknown || close >= stop;
        if (list->unknown)
            return;
        struct arena *arena = &list->unit->facts->arena;
        const char *name = arena_strndup(arena, open + 1, (size_t)(close - open - 1));
        struct fact_input input = {.path = "", .name = last_part(name)};
        VEC_PUSH(list->items, list->count, list->capacity) = input;
        at = close;
    }
}

static void note_input(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    (void)stack;
    (void)depth;
    struct input_list *list = data;
    struct unit *unit = list->unit;
    struct arena *arena = &unit->facts->arena;
    const char *name, *tree = unit->source->tree;
    take_text(clang_getFileName(file), arena, &name);
    struct str path = {0};
    path_join(&path, unit->command->directory, name);
    char *real = realpath(path.data, NULL);
    const char *below = real ? path_below(real, tree) : NULL;
    struct fact_input input = {.path = arena_strdup(arena, below  ? below
                                                           : real ? real
                                                                  : path.data),
                               .name = last_part(name)};
    if (below) {
        struct source_text text = unit_text(unit, file);
        input.hash = hash_bytes(text.data, text.size_bytes);
        note_looked_for(list, text.data, text.size_bytes);
    } else {
        input.hash = input_stamp(input.path);
        input.escapes = name[0] != '/' || path_below(name, tree) != NULL;
    }
    VEC_PUSH(list->items, list->count, list->capacity) = input;
    free(real);
    str_release(&path);
}

static void note_inputs(struct unit *unit)
{
    struct input_list list = {.unit = unit};
    struct facts *facts = unit->facts;
    clang_getInclusions(unit->clang, note_input, &list);
    facts->input_count = list.unknown ? 0 : (uint32_t)list.count;
    facts->inputs = ARENA_ARRAY(&facts->arena, struct fact_input, list.count + 1);
    if (list.count)
        memcpy(facts->inputs, list.items, list.count * sizeof *list.items);
    memory_free(list.items);
}

static sync_set team_set(const struct unit *unit)
{
    unsigned uses = 0;
    for (size_t i = 0; i < unit->file_count; i++)
        uses |= openmp_uses(&unit->files[i]->text, 0, unit->files[i]->text.size_bytes);
    return (uses & OPENMP_TEAM ? SYNC_TEAM : 0) | (uses & OPENMP_HIDDEN ? SYNC_TEAM_HIDDEN : 0);
}

static void finish_unit(struct unit *unit)
{
    struct facts *facts = unit->facts;
    facts->files = ARENA_ARRAY(&facts->arena, struct fact_file, unit->file_count + 1);
    facts->file_count = (uint32_t)unit->file_count;
    struct fact_unit *own = facts->units = ARENA_NEW(&facts->arena, struct fact_unit);
    facts->unit_count = 1;
    own->includes = ARENA_ARRAY(&facts->arena, uint32_t, unit->file_count + 1);
    for (uint32_t i = 0; i < unit->file_count; i++) {
        const struct source_text *text = &unit->files[i]->text;
        facts->files[i].path = arena_strdup(&facts->arena, unit->paths.text[i]);
        facts->files[i].hash = hash_bytes(text->data, text->size_bytes);
        own->includes[own->include_count++] = i;
    }
    own->file = 0;
    own->sync = unit->sync | (unit->openmp ? team_set(unit) : 0);
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (facts->functions[i].macro)
            macro_table_give_outside(&unit->macro_table, facts->functions[i].macro,
                                     keep_outside_macro, unit);
    facts->macros = ARENA_ARRAY(&facts->arena, struct fact_macro, unit->macro_count + 1);
    facts->macro_count = (uint32_t)unit->macro_count;
    if (unit->macro_count)
        memcpy(facts->macros, unit->macros, unit->macro_count * sizeof *unit->macros);
    struct fact_function *functions =
        ARENA_ARRAY(&facts->arena, struct fact_function, facts->function_count + 1);
    if (facts->function_count)
        memcpy(functions, facts->functions, facts->function_count * sizeof *functions);
    memory_free(facts->functions);
    facts->functions = functions;
}

static void release_unit(struct unit *unit)
{
    for (size_t i = 0; i < unit->file_count; i++)
        expansion_list_release(&unit->files[i]->expansions);
    memory_free(unit->files);
    memory_free(unit->macros);
    macro_table_release(&unit->macro_table);
    memory_free(unit->traits);
    for (size_t i = 0; i < unit->crowd_count; i++)
        crowd_release(&unit->crowds[i]);
    memory_free(unit->crowds);
    intern_release(&unit->paths);
    intern_release(&unit->usrs);
    hash_map_release(&unit->file_of);
    hash_map_release(&unit->text_of);
    memory_free(unit->texts);
    clang_disposeTranslationUnit(unit->clang);
}

static void read_unit(struct unit *unit)
{
    CXFile file = clang_getFile(unit->clang, unit->command->file);
    unit_file(unit, file); /* the main file is files[0] */
    CXCursor top = clang_getTranslationUnitCursor(unit->clang);
    clang_visitChildren(top, visit_declaration, unit);
    for (size_t i = 0; i < unit->crowd_count; i++)
        crowd_mark(&unit->crowds[i], unit->facts);
    note_errors(unit);
    note_inputs(unit);
    finish_unit(unit);
}

static CXTranslationUnit parse_command(CXIndex index, const struct facts_source *source,
                                       const struct compile_command *command, bool plain)
{
    struct arena arena = {0};
    struct compile_flags flags = compile_flags_for_parser(&arena, command, plain);
    struct CXUnsavedFile *unsaved =
        ARENA_ARRAY(&arena, struct CXUnsavedFile, source->override_count + 1);
    for (uint32_t i = 0; i < source->override_count; i++)
        unsaved[i] = (struct CXUnsavedFile){source->overrides[i].path, source->overrides[i].text,
                                            source->overrides[i].size_bytes};
    CXTranslationUnit unit = NULL;
    clang_parseTranslationUnit2(
        index, command->file, flags.items, flags.count, unsaved, source->override_count,
        CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing, &unit);
    arena_release(&arena);
    return unit;
}

void facts_read(struct facts *facts, const struct facts_source *source,
                const struct compile_command *command)
{
    CXIndex index = clang_createIndex(0, 0);
    struct unit unit = {.source = source, .command = command, .facts = facts};
    for (uint32_t i = 0; i < command->argument_count; i++)
        unit.openmp |= openmp_is_flag(command->arguments[i]);
    unit.clang = parse_command(index, source, command, false);
    if (!unit.clang)
        unit.clang = parse_command(index, source, command, true);
    if (unit.clang) {
        read_unit(&unit);
        release_unit(&unit);
    } else {
        note_failure(facts, command->file, 0, "the parser can't read it");
    }
    clang_disposeIndex(index);
}
