/* The only file that knows libclang. A compilation is read in one walk: first its macro
 * definitions and expansions (libclang gives them first), then its declarations; each function's
 * body is walked once, and a sub-expression's findings go up to the calls around it.
 *
 * libclang gives a token that a macro's body made the position of the macro's use; so a text is
 * taken as literally there only where no expansion starts at its offset, where the callee's name
 * stands in it, and where its own parentheses end it where libclang says. */
#include <clang-c/Index.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"
#include "rewriter/compile_flags.h"
#include "rewriter/facts_cache.h"
#include "rewriter/facts_parse.h"
#include "rewriter/source_text.h"
#include "trace/function_table.h"

struct expansion {
    uint32_t begin;
    uint32_t end;
    uint32_t around; /* index + 1 of the expansion in whose argument this one is, or 0 */
    const char *macro;
};

struct source_file {
    uint32_t fact; /* index in facts.files */
    struct source_text text;
    struct expansion *expansions;
    size_t expansion_count, expansion_capacity;
    bool sorted;
};

enum stringizing { STRINGIZING_UNKNOWN, STRINGIZING_ASKED, STRINGIZING_NO, STRINGIZING_YES };

struct definition {
    struct source_text text; /* "NAME(a, b) body" */
    uint32_t earlier;        /* index + 1 of another definition of the name */
};

static const char BODY_FROM_MACRO[] = "its body comes from a macro";

/* What holds for a function whoever calls it. */
struct callee_traits {
    const char *obstacle;
    bool ignored; /* built into the compiler, or ours */
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
    struct intern macro_names;
    struct definition *definitions;
    size_t definition_count, definition_capacity;
    uint32_t *definition_of; /* by macro name: index + 1 */
    enum stringizing *stringizing;
    size_t macro_name_capacity;
    struct callee_traits *traits;    /* by function */
    const struct source_file *maker; /* where a macro's use made functions last */
    uint32_t maker_offset, maker_order;
    bool cplusplus;
};

struct place {
    struct source_file *file; /* NULL: not in the tree */
    uint32_t offset;
    uint32_t line;
    bool in_argument; /* of a macro */
};

enum context { IN_LAMBDA = 1, UNEVALUATED = 2, OUTSIDE_BODY = 4 };
enum found { FOUND_CALL = 1, FOUND_TEMPORARY = 2, FOUND_LITERAL = 4, FOUND_HOOKS = 8 };

struct range {
    uint32_t begin;
    uint32_t end;
};

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
    struct range *unevaluated; /* texts in sizeof(...) and the like */
    size_t unevaluated_count, unevaluated_capacity;
    bool marks, indirect;
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

/* Places ------------------------------------------------------------------------------------ */

static uint32_t unit_add_file(struct unit *unit, CXFile file, const char *path)
{
    uint32_t id = intern_add(&unit->paths, path);
    if (id < unit->file_count)
        return id;
    size_t size = 0;
    const char *data = clang_getFileContents(unit->clang, file, &size);
    struct source_file *fresh = ARENA_NEW(&unit->facts->arena, struct source_file);
    fresh->fact = id;
    fresh->text = (struct source_text){data ? data : "", (uint32_t)size};
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

static uint32_t macro_name(struct unit *unit, const char *name)
{
    uint32_t id = intern_add(&unit->macro_names, name);
    while (id >= unit->macro_name_capacity) {
        size_t old = unit->macro_name_capacity, fresh = old ? old * 2 : 1024;
        unit->definition_of =
            memory_resize(unit->definition_of, fresh * sizeof *unit->definition_of);
        unit->stringizing = memory_resize(unit->stringizing, fresh * sizeof *unit->stringizing);
        memset(unit->definition_of + old, 0, (fresh - old) * sizeof *unit->definition_of);
        memset(unit->stringizing + old, 0, (fresh - old) * sizeof *unit->stringizing);
        unit->macro_name_capacity = fresh;
    }
    return id;
}

/* The first token of a definition's body: after the name, and the parameters where the
 * parenthesis touches it. */
static uint32_t definition_body(const struct source_text *text)
{
    struct token name = source_token(text, 0);
    uint32_t at = name.end;
    if (at < text->size_bytes && text->data[at] == '(') {
        uint32_t close = source_match(text, at);
        at = close == SOURCE_NOWHERE ? text->size_bytes : close + 1;
    }
    return source_token(text, at).begin;
}

/* # or ##, but not the ", ## args" that drops a comma. */
static bool definition_pastes(const struct source_text *text)
{
    char before = '\0';
    struct token token = source_token(text, definition_body(text));
    for (; token.kind != TOKEN_END; token = source_token(text, token.end)) {
        char mark = text->data[token.begin];
        bool comma = mark == '#' && before == ',' && token.begin + 1 < text->size_bytes &&
                     text->data[token.begin + 1] == '#';
        if (comma)
            token.end = token.begin + 2;
        else if (mark == '#')
            return true;
        before = mark;
    }
    return false;
}

static void keep_tree_macro(struct unit *unit, const char *name, struct place place,
                            struct source_text text)
{
    uint32_t body = definition_body(&text);
    struct arena *arena = &unit->facts->arena;
    struct fact_macro macro = {.name = name, .file = place.file->fact, .line = place.line};
    macro.begin = place.offset + body;
    macro.body = arena_strndup(arena, text.data + body, text.size_bytes - body);
    macro.pastes = definition_pastes(&text);
    VEC_PUSH(unit->macros, unit->macro_count, unit->macro_capacity) = macro;
}

static void note_definition(struct unit *unit, CXCursor cursor)
{
    const char *name;
    take_text(clang_getCursorSpelling(cursor), &unit->facts->arena, &name);
    unit->cplusplus = unit->cplusplus || strcmp(name, "__cplusplus") == 0;
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile file;
    unsigned line, begin, end;
    clang_getSpellingLocation(clang_getRangeStart(range), &file, &line, NULL, &begin);
    clang_getSpellingLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    size_t size;
    const char *data = file ? clang_getFileContents(unit->clang, file, &size) : NULL;
    if (!data || end > size || begin >= end)
        return;
    uint32_t id = macro_name(unit, name);
    struct definition definition = {{data + begin, end - begin}, unit->definition_of[id]};
    VEC_PUSH(unit->definitions, unit->definition_count, unit->definition_capacity) = definition;
    unit->definition_of[id] = (uint32_t)unit->definition_count;
    struct source_file *in_tree = unit_file(unit, file);
    if (in_tree)
        keep_tree_macro(unit, name, (struct place){in_tree, begin, line, false}, definition.text);
}

static void note_expansion(struct unit *unit, CXCursor cursor)
{
    struct place begin = place_begin(unit, cursor);
    if (!begin.file)
        return;
    struct expansion expansion = {.begin = begin.offset, .end = place_end(unit, cursor).offset};
    take_text(clang_getCursorSpelling(cursor), &unit->facts->arena, &expansion.macro);
    struct source_file *file = begin.file;
    VEC_PUSH(file->expansions, file->expansion_count, file->expansion_capacity) = expansion;
    file->sorted = false;
}

static int compare_expansions(const void *a, const void *b)
{
    const struct expansion *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end > y->end ? -1 : x->end < y->end;
}

static void sort_expansions(struct source_file *file)
{
    if (file->expansion_count)
        qsort(file->expansions, file->expansion_count, sizeof *file->expansions,
              compare_expansions);
    for (uint32_t i = 1; i < file->expansion_count; i++) {
        uint32_t around = i;
        while (around && file->expansions[around - 1].end <= file->expansions[i].begin)
            around = file->expansions[around - 1].around;
        file->expansions[i].around = around;
    }
    file->sorted = true;
}

/* Index + 1 of the innermost expansion whose text holds `offset`, or 0. */
static uint32_t expansion_at(struct source_file *file, uint32_t offset)
{
    if (!file->sorted)
        sort_expansions(file);
    uint32_t low = 0, high = (uint32_t)file->expansion_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (file->expansions[middle].begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    while (low && file->expansions[low - 1].end <= offset)
        low = file->expansions[low - 1].around;
    return low;
}

static const char *macro_starting_at(struct source_file *file, uint32_t offset)
{
    uint32_t at = expansion_at(file, offset);
    return at && file->expansions[at - 1].begin == offset ? file->expansions[at - 1].macro : NULL;
}

static bool macro_stringizes(struct unit *unit, uint32_t name);

static bool definition_stringizes(struct unit *unit, const struct definition *definition)
{
    const struct source_text *text = &definition->text;
    if (definition_pastes(text))
        return true;
    struct token token = source_token(text, definition_body(text));
    for (; token.kind != TOKEN_END; token = source_token(text, token.end)) {
        char word[128];
        size_t length = token.end - token.begin;
        if (token.kind != TOKEN_WORD || length >= sizeof word)
            continue;
        memcpy(word, text->data + token.begin, length);
        word[length] = '\0';
        uint32_t inner = intern_find(&unit->macro_names, word);
        if (inner != INTERN_NONE && macro_stringizes(unit, inner))
            return true;
    }
    return false;
}

/* Would an argument of this macro, or of one that it uses, be seen as text? */
static bool macro_stringizes(struct unit *unit, uint32_t name)
{
    if (unit->stringizing[name] != STRINGIZING_UNKNOWN)
        return unit->stringizing[name] == STRINGIZING_YES;
    unit->stringizing[name] = STRINGIZING_ASKED;
    bool yes = false;
    for (uint32_t at = unit->definition_of[name]; at && !yes;
         at = unit->definitions[at - 1].earlier)
        yes = definition_stringizes(unit, &unit->definitions[at - 1]);
    unit->stringizing[name] = yes ? STRINGIZING_YES : STRINGIZING_NO;
    return yes;
}

/* Why a text that begins here can't be edited, or NULL. */
static const char *place_obstacle(struct unit *unit, const struct place *place)
{
    uint32_t at = expansion_at(place->file, place->offset);
    if (at && place->file->expansions[at - 1].begin == place->offset)
        return "it comes from a macro";
    for (; at; at = place->file->expansions[at - 1].around) {
        uint32_t name = intern_find(&unit->macro_names, place->file->expansions[at - 1].macro);
        if (name == INTERN_NONE || macro_stringizes(unit, name))
            return "it is an argument of a macro that uses # or ##";
    }
    return NULL;
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

static void qualified_name(CXCursor cursor, struct str *name)
{
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    if (is_scope(clang_getCursorKind(parent)))
        qualified_name(parent, name);
    CXString text = clang_getCursorSpelling(cursor);
    const char *c = clang_getCString(text);
    if (c && *c) {
        if (name->length)
            str_append(name, "::");
        str_append(name, c);
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

/* A lambda's body is walked as a part of the function that it stands in. */
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

static const char *callee_obstacle(CXCursor callee, const char *name)
{
    static const char *const TWICE[] = {"setjmp",      "_setjmp", "sigsetjmp",  "__sigsetjmp",
                                        "_sigsetjmp",  "vfork",   "getcontext", "savectx",
                                        "swapcontext", "alloca"};
    for (size_t i = 0; i < sizeof TWICE / sizeof TWICE[0]; i++)
        if (strcmp(name, TWICE[i]) == 0)
            return "it depends on its caller's frame";
    if (strcmp(name, "strncpy") == 0 || strcmp(name, "stpncpy") == 0 ||
        strcmp(name, "strncat") == 0 || strcmp(name, "wcsncpy") == 0)
        return "the compiler warns by what follows it";
    struct str text = {0};
    declaration_text(callee, &text);
    const char *obstacle = NULL;
    if (strstr(text.data, "noreturn") || strstr(text.data, "_Noreturn"))
        obstacle = "it does not return";
    else if (strstr(text.data, "returns_twice"))
        obstacle = "it depends on its caller's frame";
    else if (strstr(text.data, "format_arg"))
        obstacle = "its result is a format that the compiler checks";
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
    function->local = is_local(cursor);
    function->cplusplus = unit->cplusplus;
    function->file = FACT_NO_FILE;
}

/* The index of the function; of the template where the cursor is an instance of one. */
static uint32_t unit_function(struct unit *unit, CXCursor cursor)
{
    CXCursor pattern = clang_getSpecializedCursorTemplate(cursor);
    if (is_function(clang_getCursorKind(pattern)))
        cursor = pattern;
    CXString usr = clang_getCursorUSR(cursor);
    uint32_t index = intern_add(&unit->usrs, clang_getCString(usr));
    clang_disposeString(usr);
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
    unit->traits[index] = (struct callee_traits){callee_obstacle(cursor, name),
                                                 is_ignored_name(name) || is_lambda(cursor)};
    clang_disposeString(own);
    return index;
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

/* Through parentheses, implicit conversions, * and &. */
static CXCursor strip(CXCursor cursor)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr &&
            kind != CXCursor_UnaryOperator)
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
    CXType type = clang_getCanonicalType(clang_getCursorType(callee));
    return type.kind == CXType_Pointer ? clang_getPointeeType(type) : type;
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

static const char *cplusplus_obstacle(CXCursor call, CXType function, unsigned found)
{
    CXType result = clang_getResultType(function);
    enum CXTypeKind kind = clang_getCanonicalType(result).kind;
    if (clang_getCursorType(call).kind == CXType_Dependent || kind == CXType_Dependent ||
        kind == CXType_Invalid || kind == CXType_Unexposed)
        return "its type depends on a template parameter";
    if (kind == CXType_LValueReference || kind == CXType_RValueReference)
        return "its result is a reference";
    if (kind != CXType_Void && !is_scalar(result))
        return "its result is an object";
    return found & FOUND_TEMPORARY ? "a temporary object in it would die earlier" : NULL;
}

static bool text_unevaluated(const struct body *body, uint32_t offset)
{
    for (size_t i = 0; i < body->unevaluated_count; i++)
        if (body->unevaluated[i].begin < offset && offset < body->unevaluated[i].end)
            return true;
    return false;
}

static const char *value_obstacle(const struct walk *walk, const struct fact_call *call,
                                  CXCursor cursor, CXType function, const char *of_callee)
{
    if (of_callee)
        return of_callee;
    if (walk->context & OUTSIDE_BODY)
        return "it stands outside of the function's block";
    if (walk->context & IN_LAMBDA)
        return "it stands in a lambda";
    if ((walk->context & UNEVALUATED) || text_unevaluated(walk->body, call->begin))
        return "it is not evaluated";
    if (walk->found & FOUND_LITERAL)
        return "a compound literal in it would die earlier";
    const char *obstacle =
        walk->unit->cplusplus ? cplusplus_obstacle(cursor, function, walk->found) : NULL;
    if (!obstacle && !call->text_obstacle && is_constant(cursor))
        return "it is a constant";
    return obstacle;
}

/* Does the function's name stand in the text of what is called? */
static bool names_callee(const struct source_text *text, const struct fact_call *call,
                         CXCursor target)
{
    if (call->callee_end <= call->begin || call->callee_end >= text->size_bytes)
        return false;
    if (clang_Cursor_isNull(target))
        return true;
    CXString name = clang_getCursorSpelling(target);
    bool named = source_has_word(text, call->begin, call->callee_end, clang_getCString(name));
    clang_disposeString(name);
    return named;
}

/* Fill in the offsets of the call's text; returns why it can't be edited, or NULL. */
static const char *call_text(struct walk *walk, CXCursor callee, CXCursor target,
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
        return "its text is in another file";
    call->macro = macro_starting_at(file, begin.offset);
    const char *obstacle = place_obstacle(unit, &begin);
    if (obstacle)
        return obstacle;
    if (!names_callee(&file->text, call, target))
        return "its name comes from a macro";
    struct token open = source_token(&file->text, call->callee_end);
    uint32_t close =
        token_is(&file->text, &open, "(") ? source_match(&file->text, open.begin) : SOURCE_NOWHERE;
    if (close == SOURCE_NOWHERE || close + 1 != call->end)
        return "its parentheses come from a macro";
    call->open = open.begin;
    for (struct token token = open; token.begin < close;
         token = source_token(&file->text, token.end))
        if (token.kind == TOKEN_DIRECTIVE)
            return "a preprocessor line stands in it";
    call->callee_macro_safe = source_macro_safe(&file->text, call->begin, call->callee_end);
    call->macro_safe = source_macro_safe(&file->text, call->begin, call->end);
    return NULL;
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
            .copyable = is_copyable(walk->unit, argument, function, (int)i),
            .scalar = is_scalar(type),
            .pointer = type.kind == CXType_Pointer,
        };
    }
}

static void note_callee(struct body *body, uint32_t callee)
{
    for (size_t i = body->callee_count; i-- > 0;)
        if (body->callees[i] == callee)
            return;
    VEC_PUSH(body->callees, body->callee_count, body->callee_capacity) = callee;
}

static bool is_pointer_call(CXCursor callee)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(callee));
    if (type.kind != CXType_Pointer)
        return false;
    enum CXTypeKind kind = clang_getPointeeType(type).kind;
    return kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
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

static void add_call(struct walk *walk, struct call_walk *inner, CXCursor target,
                     uint32_t callee_index)
{
    struct unit *unit = walk->unit;
    bool named = !clang_Cursor_isNull(target);
    struct fact_call call = {.callee = callee_index};
    if (clang_Cursor_isDynamicCall(walk->node))
        call.callee = FUNCTION_NONE;
    call.pointer = !named && is_pointer_call(inner->callee);
    call.text_obstacle = call_text(walk, inner->callee, target, &call);
    CXType function = function_type(target, inner->callee);
    CXType result = clang_getCursorType(walk->node);
    call.void_result = clang_getCanonicalType(result).kind == CXType_Void;
    call.scalar_result = is_scalar(result);
    call.value_obstacle = value_obstacle(walk, &call, walk->node, function,
                                         named ? unit->traits[callee_index].obstacle : NULL);
    if (!call.text_obstacle)
        call_arguments(walk, inner, function, &call);
    VEC_PUSH(walk->body->calls, walk->body->call_count, walk->body->call_capacity) = call;
    VEC_PUSH(walk->body->nodes, walk->body->node_count, walk->body->node_capacity) = walk->node;
}

static void note_call(struct walk *walk, struct call_walk *inner)
{
    CXCursor target = called_function(walk->node, inner->callee);
    if (clang_Cursor_isNull(target)) {
        if ((inner->callee_found & FOUND_HOOKS) || clang_isInvalid(inner->callee.kind))
            return;
        bool pointer = is_pointer_call(inner->callee);
        if (!pointer && clang_getCursorKind(strip(inner->callee)) != CXCursor_BinaryOperator)
            return;
        walk->body->indirect = true;
        walk->found |= FOUND_CALL;
        add_call(walk, inner, target, FUNCTION_NONE);
        return;
    }
    uint32_t callee = unit_function(walk->unit, target);
    if (walk->unit->traits[callee].ignored)
        return;
    walk->found |= FOUND_CALL;
    note_callee(walk->body, callee);
    walk->body->indirect |= clang_Cursor_isDynamicCall(walk->node) != 0;
    if (inner->has_callee && is_plain_call(target))
        add_call(walk, inner, target, callee);
}

/* Bodies -------------------------------------------------------------------------------------- */

static enum CXChildVisitResult walk_child(CXCursor cursor, CXCursor parent, CXClientData data);
static void visit_function(struct unit *unit, CXCursor cursor);

static enum CXChildVisitResult visit_local_class(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    (void)parent;
    if (is_function(clang_getCursorKind(cursor)))
        visit_function(data, cursor);
    return CXChildVisit_Continue;
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
        clang_equalCursors(first_child(walk->node), clang_Cursor_getArgument(walk->node, 0));
    walk->call = &inner;
    clang_visitChildren(walk->node, walk_child, walk);
    walk->call = NULL;
    note_call(walk, &inner);
    if (inner.argument_found != found)
        memory_free(inner.argument_found);
}

static enum CXChildVisitResult take_last(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

/* A statement of a block. A label's is the one that it stands before. */
static void note_statement(struct walk *up, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    while (kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt ||
           kind == CXCursor_LabelStmt) {
        CXCursor last = clang_getNullCursor();
        clang_visitChildren(cursor, take_last, &last);
        cursor = last;
        kind = clang_getCursorKind(cursor);
    }
    if (clang_Cursor_isNull(cursor))
        return;
    struct place place = place_begin(up->unit, cursor);
    if (place.file != up->body->file || place.in_argument)
        return;
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
}

static void note_temporary(struct walk *walk)
{
    enum CXCursorKind kind = clang_getCursorKind(walk->node);
    enum CXTypeKind type = clang_getCanonicalType(clang_getCursorType(walk->node)).kind;
    if (kind == CXCursor_LambdaExpr ||
        (type == CXType_Record && (kind == CXCursor_CallExpr || kind == CXCursor_InitListExpr ||
                                   kind == CXCursor_CXXFunctionalCastExpr)))
        walk->found |= FOUND_TEMPORARY;
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
        walk->context |= IN_LAMBDA;
        clang_visitChildren(walk->node, walk_child, walk);
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
    default:
        clang_visitChildren(walk->node, walk_child, walk);
    }
    if (walk->unit->cplusplus)
        note_temporary(walk);
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
        if (clang_equalCursors(down->node, clang_Cursor_getArgument(up->node, (unsigned)i))) {
            call->argument_found[i] = down->found;
            call->next = i + 1;
            return;
        }
}

static enum CXChildVisitResult walk_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct walk *up = data;
    struct walk down = {.unit = up->unit, .body = up->body, .context = up->context, .node = cursor};
    if (clang_getCursorKind(parent) == CXCursor_CompoundStmt && !(up->context & IN_LAMBDA))
        note_statement(up, cursor);
    walk_into(&down);
    if (up->call)
        note_call_child(up, &down);
    up->found |= down.found;
    return CXChildVisit_Continue;
}

/* The texts between the parentheses of sizeof(...) and its like. */
static void note_unevaluated(struct body *body, uint32_t begin, uint32_t end)
{
    static const char *const WORDS[] = {
        "sizeof",
        "typeof",
        "__typeof__",
        "__typeof",
        "typeof_unqual",
        "decltype",
        "noexcept",
        "alignof",
        "_Alignof",
        "__alignof__",
        "alignas",
        "_Alignas",
        "typeid",
        "static_assert",
        "_Static_assert",
        "__builtin_constant_p",
        "__builtin_choose_expr",
        "__builtin_types_compatible_p",
        "__builtin_object_size",
        "__attribute__",
        "offsetof",
        "_Generic",
    };
    const struct source_text *text = &body->file->text;
    bool keyword = false;
    for (struct token token = source_token(text, begin); token.begin < end;
         token = source_token(text, token.end)) {
        uint32_t close = keyword && token_is(text, &token, "(") ? source_match(text, token.begin)
                                                                : SOURCE_NOWHERE;
        if (close != SOURCE_NOWHERE)
            VEC_PUSH(body->unevaluated, body->unevaluated_count, body->unevaluated_capacity) =
                (struct range){token.begin, close};
        keyword = false;
        for (size_t i = 0; token.kind == TOKEN_WORD && i < sizeof WORDS / sizeof WORDS[0]; i++)
            keyword = keyword || token_is(text, &token, WORDS[i]);
    }
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
            kept[-1].text_obstacle = "a macro repeats it";
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
    function->callees = ARENA_ARRAY(arena, uint32_t, body->callee_count + 1);
    function->callee_count = (uint32_t)body->callee_count;
    if (body->callee_count)
        memcpy(function->callees, body->callees, body->callee_count * sizeof *body->callees);
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
    memory_free(body->unevaluated);
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
    if (clang_getCursorKind(cursor) != CXCursor_CompoundStmt || find->found)
        return CXChildVisit_Continue;
    find->block = cursor;
    find->found = true;
    return CXChildVisit_Break;
}

static const char *declared_obstacle(const struct unit *unit, CXCursor cursor)
{
    struct str text = {0};
    declaration_text(cursor, &text);
    static const char *const WORDS[][2] = {
        {"constexpr", "it is constexpr"},
        {"consteval", "it is consteval"},
        {"__attribute__((naked", "it is naked"},
        {"__attribute__((interrupt", "it is an interrupt handler"},
        {"no_sanitize", "it has a no_sanitize attribute"},
        {"target(\"no-", "it is compiled for another target"},
        {"target(\"arch=", "it is compiled for another target"},
        {"general-regs-only", "it is compiled for another target"},
        {"__attribute__((ifunc", "it is an ifunc"},
    };
    const char *obstacle = NULL;
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0] && !obstacle; i++)
        if (strstr(text.data, WORDS[i][0]))
            obstacle = WORDS[i][1];
    str_release(&text);
    if (!obstacle && !unit->cplusplus && clang_Cursor_isFunctionInlined(cursor) &&
        !is_local(cursor))
        obstacle = "it is inline but not static, and may not use static functions";
    return obstacle;
}

static bool is_coroutine(const struct source_text *text, uint32_t begin, uint32_t end)
{
    return source_has_word(text, begin, end, "co_await") ||
           source_has_word(text, begin, end, "co_yield") ||
           source_has_word(text, begin, end, "co_return");
}

static const char *body_obstacle(struct unit *unit, CXCursor cursor, const struct place *begin,
                                 uint32_t end)
{
    const struct source_text *text = &begin->file->text;
    if (begin->offset >= text->size_bytes || text->data[begin->offset] != '{' ||
        macro_starting_at(begin->file, begin->offset))
        return BODY_FROM_MACRO;
    const char *obstacle = place_obstacle(unit, begin);
    if (!obstacle)
        obstacle = declared_obstacle(unit, cursor);
    if (obstacle)
        return obstacle;
    struct token first = source_token(text, begin->offset + 1);
    if (token_is(text, &first, "__label__"))
        return "it declares labels first";
    if (first.kind == TOKEN_DIRECTIVE && source_has_word(text, first.begin + 1, first.end, "STDC"))
        return "it begins with a pragma";
    if (unit->cplusplus && is_coroutine(text, begin->offset, end))
        return "it is a coroutine";
    return NULL;
}

/* What stands before the block: a constructor's member initialisers. */
static enum CXChildVisitResult walk_outside(CXCursor cursor, CXCursor parent, CXClientData data)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt)
        return CXChildVisit_Continue;
    return clang_isExpression(kind) ? walk_child(cursor, parent, data) : CXChildVisit_Continue;
}

/* The macro whose use, on one line, made this function. */
static void note_maker(struct unit *unit, CXCursor cursor, const struct place *begin,
                       struct fact_function *function)
{
    bool next = unit->maker == begin->file && unit->maker_offset == begin->offset;
    function->macro_order = next ? unit->maker_order + 1 : 0;
    unit->maker = begin->file;
    unit->maker_offset = begin->offset;
    unit->maker_order = function->macro_order;
    const struct source_text *text = &begin->file->text;
    struct token name = source_token(text, begin->offset), open = source_token(text, name.end);
    uint32_t end = token_is(text, &open, "(") ? source_match(text, open.begin) : name.end;
    if (name.kind != TOKEN_WORD || name.begin != begin->offset || end == SOURCE_NOWHERE ||
        !macro_starting_at(begin->file, begin->offset) || declared_obstacle(unit, cursor) ||
        memchr(text->data + name.begin, '\n', end - name.begin))
        return;
    function->macro =
        arena_strndup(&unit->facts->arena, text->data + name.begin, name.end - name.begin);
    clang_getPresumedLocation(clang_getCursorLocation(cursor), NULL, &function->macro_line, NULL);
}

static void visit_function(struct unit *unit, CXCursor cursor)
{
    struct find_block find = {0};
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
    const char *obstacle = body_obstacle(unit, cursor, &begin, end);
    struct fact_function *function = &unit->facts->functions[index];
    function->obstacle = find.tried ? "it is a function try block" : obstacle;
    function->file = begin.file->fact;
    function->body = begin.offset;
    function->line = place_of(unit, clang_getCursorLocation(cursor)).line;
    if (function->obstacle == BODY_FROM_MACRO)
        note_maker(unit, cursor, &begin, function);
    note_unevaluated(&body, begin.offset, end);
    struct walk walk = {.unit = unit, .body = &body, .context = OUTSIDE_BODY, .node = cursor};
    clang_visitChildren(cursor, walk_outside, &walk);
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
    else if (is_scope(kind) || kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl ||
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

uint64_t facts_stamp(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return 0;
    uint64_t parts[] = {(uint64_t)status.st_size, (uint64_t)status.st_mtim.tv_sec,
                        (uint64_t)status.st_mtim.tv_nsec};
    return hash_bytes(parts, sizeof parts) | 1;
}

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

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
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
    size_t size_bytes = 0;
    const char *text = below ? clang_getFileContents(unit->clang, file, &size_bytes) : NULL;
    if (below) {
        input.hash = hash_bytes(text ? text : "", size_bytes);
        note_looked_for(list, text ? text : "", size_bytes);
    } else {
        input.hash = facts_stamp(input.path);
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
        memory_free(unit->files[i]->expansions);
    memory_free(unit->files);
    memory_free(unit->macros);
    memory_free(unit->definitions);
    memory_free(unit->definition_of);
    memory_free(unit->stringizing);
    memory_free(unit->traits);
    intern_release(&unit->paths);
    intern_release(&unit->usrs);
    intern_release(&unit->macro_names);
    hash_map_release(&unit->file_of);
    clang_disposeTranslationUnit(unit->clang);
}

static void read_unit(struct unit *unit)
{
    CXFile file = clang_getFile(unit->clang, unit->command->file);
    unit_file(unit, file); /* the main file is files[0] */
    CXCursor top = clang_getTranslationUnitCursor(unit->clang);
    clang_visitChildren(top, visit_declaration, unit);
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

static void facts_read(struct facts *facts, const struct facts_source *source,
                       const struct compile_command *command)
{
    CXIndex index = clang_createIndex(0, 0);
    struct unit unit = {.source = source, .command = command, .facts = facts};
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

/* All commands, on several threads; what they give is merged in the order of the db. */
struct reading {
    const struct facts_source *source;
    pthread_mutex_t lock;
    pthread_cond_t merged;
    uint32_t next;     /* command to be read */
    uint32_t to_merge; /* command whose facts are merged next */
    uint32_t parsed;
    struct facts_merger *merger;
};

static bool is_in_tree(const struct facts_source *source, const struct compile_command *command)
{
    char *real = realpath(command->file, NULL);
    bool inside = real && path_below(real, source->tree);
    free(real);
    return inside;
}

static void merge_part(struct reading *reading, uint32_t at, const struct facts *part)
{
    pthread_mutex_lock(&reading->lock);
    while (reading->to_merge != at)
        pthread_cond_wait(&reading->merged, &reading->lock);
    facts_merger_add(reading->merger, part);
    reading->parsed += part->unit_count;
    reading->to_merge++;
    pthread_cond_broadcast(&reading->merged);
    pthread_mutex_unlock(&reading->lock);
}

static void *reader(void *data)
{
    struct reading *reading = data;
    for (;;) {
        pthread_mutex_lock(&reading->lock);
        uint32_t at = reading->next++;
        pthread_mutex_unlock(&reading->lock);
        if (at >= reading->source->db->count)
            return NULL;
        const struct compile_command *command = &reading->source->db->commands[at];
        struct facts part = {0};
        struct facts_cache *cache = reading->source->cache;
        if (is_in_tree(reading->source, command) && !facts_cache_get(cache, command, &part)) {
            facts_read(&part, reading->source, command);
            facts_cache_put(cache, command, &part);
        }
        merge_part(reading, at, &part);
        facts_release(&part);
    }
}

/* Deeply nested expressions recurse deeply. */
enum { READER_STACK_BYTES = 256 * 1024 * 1024 };

static void run_readers(struct reading *reading)
{
    unsigned count = reading->source->jobs ? reading->source->jobs : 1;
    pthread_t *threads = memory_alloc(count * sizeof *threads);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, READER_STACK_BYTES);
    unsigned started = 0;
    while (started < count && pthread_create(&threads[started], &attributes, reader, reading) == 0)
        started++;
    if (started == 0)
        reader(reading);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    memory_free(threads);
}

bool facts_parse(struct facts *facts, const struct facts_source *source, struct error *error)
{
    struct reading reading = {.source = source, .merger = facts_merger_new()};
    pthread_mutex_init(&reading.lock, NULL);
    pthread_cond_init(&reading.merged, NULL);
    run_readers(&reading);
    pthread_cond_destroy(&reading.merged);
    pthread_mutex_destroy(&reading.lock);
    facts_merger_finish(reading.merger, facts);
    if (reading.parsed)
        return true;
    error_set(error, ERROR_TARGET, "None of the %u compile commands could be parsed below %s. %s%s",
              source->db->count, source->tree, facts->failure_count ? "The first one says: " : "",
              facts->failure_count ? facts->failures[0].reason
                                   : "Check that they name source files of this tree.");
    facts_release(facts);
    return false;
}
