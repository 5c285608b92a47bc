#include "rewriter/clang/flow_value.h"

#include <string.h>

#include "base/memory.h"
#include "rewriter/clang/cursor.h"
#include "rewriter/clang/cursor_name.h"

static enum CXChildVisitResult take_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct flow_children *children = data;
    VEC_PUSH(children->items, children->count, children->capacity) = cursor;
    return CXChildVisit_Continue;
}

struct flow_children flow_children_of(CXCursor cursor)
{
    struct flow_children children = {0};
    clang_visitChildren(cursor, take_child, &children);
    return children;
}

uint32_t flow_line_of(CXCursor cursor)
{
    unsigned line;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), NULL, &line,
                               NULL, NULL);
    return line;
}

/* ---- lists of nodes ---- */

void flow_values_add(struct flow_values *values, uint32_t node, bool copy)
{
    for (uint32_t i = 0; i < values->count; i++)
        if (values->items[i] / 2 == node) {
            values->items[i] |= copy;
            return;
        }
    if (node != FLOW_NONE && values->count < FLOW_MOST_VALUES)
        values->items[values->count++] = node * 2 + copy;
}

void flow_values_join(struct flow_values *values, const struct flow_values *more, bool copy)
{
    for (uint32_t i = 0; i < more->count; i++)
        flow_values_add(values, more->items[i] / 2, copy && (more->items[i] & 1));
}

void flow_values_assign(struct flow_reader *reader, const struct flow_values *to,
                        const struct flow_values *from, uint32_t line)
{
    for (uint32_t i = 0; i < to->count; i++)
        for (uint32_t j = 0; j < from->count; j++)
            flow_add_edge(reader->flow,
                          &(struct flow_edge){from->items[j] / 2, to->items[i] / 2, line,
                                              reader->function, to->items[i] & from->items[j] & 1,
                                              reader->through});
}

/* ---- variables, members and functions ---- */

static void describe_node(struct flow_reader *reader, uint32_t id, CXCursor declaration)
{
    struct flow_node *node = &reader->flow->nodes[id];
    CXType type = clang_getCanonicalType(clang_getCursorType(declaration));
    if (*node->type)
        return;
    cursor_take_text(clang_getCursorSpelling(declaration), &reader->flow->arena, &node->name);
    cursor_take_text(clang_getTypeSpelling(type), &reader->flow->arena, &node->type);
    node->scalar = type_is_scalar(type);
    if (node->kind == FLOW_MEMBER) {
        CXType holder = clang_getCursorType(clang_getCursorSemanticParent(declaration));
        cursor_take_text(clang_getTypeSpelling(clang_getCanonicalType(holder)),
                         &reader->flow->arena, &node->record);
    }
    if (node->kind == FLOW_LOCAL)
        node->function = reader->function;
}

uint32_t flow_variable(struct flow_reader *reader, CXCursor declaration)
{
    enum CXCursorKind kind = clang_getCursorKind(declaration);
    enum flow_kind what = kind == CXCursor_FieldDecl  ? FLOW_MEMBER
                          : kind == CXCursor_ParmDecl ? FLOW_PARAMETER
                          : clang_getCursorLinkage(declaration) == CXLinkage_NoLinkage
                              ? FLOW_LOCAL
                              : FLOW_GLOBAL;
    CXString usr = clang_getCursorUSR(declaration);
    uint32_t id = flow_add_node(reader->flow, clang_getCString(usr), what);
    clang_disposeString(usr);
    describe_node(reader, id, declaration);
    return id;
}

uint32_t flow_function_of(struct flow_reader *reader, CXCursor cursor)
{
    struct str text = {0};
    cursor = cursor_of_pattern(cursor);
    cursor_take_usr(cursor, &text);
    uint32_t id = flow_add_function(reader->flow, str_text(&text));
    struct flow_function *function = &reader->flow->functions[id];
    if (!*function->name) {
        str_clear(&text);
        cursor_take_name(cursor, &text);
        function->name = arena_strdup(&reader->flow->arena, str_text(&text));
        function->lambda = cursor_is_lambda(cursor);
        function->local = cursor_is_local(cursor);
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        if (kind == CXCursor_FunctionTemplate)
            kind = clang_getTemplateCursorKind(cursor);
        function->method = !function->lambda && !clang_CXXMethod_isStatic(cursor) &&
                           (kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
                            kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction);
        reader->flow->nodes[function->node].name = function->name;
    }
    str_release(&text);
    const uint64_t *own = hash_map_get(&reader->own, id);
    return own ? (uint32_t)*own - 1 : id;
}

/* The tree makes several programs, of which each has a function of that name. */
uint32_t flow_function_again(struct flow_reader *reader, uint32_t id, const char *file)
{
    struct flow *flow = reader->flow;
    char *key =
        arena_printf(&flow->arena, "%s in %s", flow->keys.text[flow->functions[id].node], file);
    uint32_t fresh = flow_add_function(flow, key);
    flow->functions[fresh].name = flow->functions[id].name;
    flow->functions[fresh].method = flow->functions[id].method;
    flow->functions[fresh].local = flow->functions[id].local;
    flow->nodes[flow->functions[fresh].node].name = flow->functions[id].name;
    *hash_map_put(&reader->own, id) = fresh + 1;
    return fresh;
}

/* ---- expressions ---- */

static struct flow_values value_of_all(struct flow_reader *reader, CXCursor cursor, bool copy)
{
    struct flow_values all = {0};
    struct flow_children children = flow_children_of(cursor);
    for (uint32_t i = 0; i < children.count; i++) {
        struct flow_values one = flow_value_of(reader, children.items[i]);
        flow_values_join(&all, &one, copy);
    }
    memory_free(children.items);
    return all;
}

static struct flow_values value_of_name(struct flow_reader *reader, CXCursor cursor)
{
    struct flow_values values = {0};
    static const char *const MARKS[] = {"VPROF_MARK_BEGIN", "VPROF_MARK_END", "VPROF_MARK_ENTER"};
    CXCursor named = clang_getCursorReferenced(cursor);
    enum CXCursorKind kind = clang_getCursorKind(named);
    if (kind_is_function(kind)) {
        uint32_t id = flow_function_of(reader, named);
        flow_values_add(&values, reader->flow->functions[id].node, true);
    } else if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) {
        flow_values_add(&values, flow_variable(reader, named), true);
    } else if (kind == CXCursor_EnumConstantDecl && reader->function != FLOW_NONE) {
        CXString name = clang_getCursorSpelling(cursor);
        reader->flow->functions[reader->function].marks |=
            STR_IS_ONE_OF(clang_getCString(name), MARKS);
        clang_disposeString(name);
    }
    return values;
}

/* A member's holder counts where it is the function's own: a global one holds too much. */
static void join_holder(struct flow_reader *reader, struct flow_values *values,
                        const struct flow_values *base)
{
    for (uint32_t i = 0; i < base->count; i++) {
        enum flow_kind kind = reader->flow->nodes[base->items[i] / 2].kind;
        if (kind == FLOW_LOCAL || kind == FLOW_PARAMETER || kind == FLOW_RESULT)
            flow_values_add(values, base->items[i] / 2, false);
    }
}

static struct flow_values value_of_member(struct flow_reader *reader, CXCursor cursor)
{
    struct flow_values values = {0};
    CXCursor named = clang_getCursorReferenced(cursor);
    struct flow_values base = value_of_all(reader, cursor, true);
    if (kind_is_function(clang_getCursorKind(named))) {
        uint32_t id = flow_function_of(reader, named);
        flow_values_add(&values, reader->flow->functions[id].node, true);
        return values;
    }
    if (clang_Cursor_isNull(named) || clang_isInvalid(clang_getCursorKind(named)))
        return base;
    flow_values_add(&values, flow_variable(reader, named), true);
    if (reader->object != FLOW_NONE && !base.count)
        flow_values_add(&values, reader->object, false);
    join_holder(reader, &values, &base);
    return values;
}

enum operator{ OPERATOR_ASSIGN, OPERATOR_COMMA, OPERATOR_TRUTH, OPERATOR_OTHER };

/* The parser does not tell which operator it is: its text stands between the operands. Where a
 * macro made them there is none to look at. */
static enum operator operator_between(struct flow_reader *reader, CXCursor left, CXCursor right)
{
    CXFile file, other;
    unsigned from, to;
    size_t size;
    clang_getExpansionLocation(clang_getRangeEnd(clang_getCursorExtent(left)), &file, NULL, NULL,
                               &from);
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(right)), &other, NULL,
                               NULL, &to);
    const char *text = file ? clang_getFileContents(reader->clang, file, &size) : NULL;
    if (!text || file != other || from >= to || to > size)
        return OPERATOR_OTHER;
    while (from < to && strchr(" \t\n\r\\)", text[from]))
        from++;
    char first = from < to ? text[from] : '\0', second = from + 1 < to ? text[from + 1] : '\0';
    if (first == '=' && second != '=')
        return OPERATOR_ASSIGN;
    if (first == ',')
        return OPERATOR_COMMA;
    bool compares = strchr("=!<>", first) && first && (second == '=' || strchr("<>", first));
    bool shifts = first == second && strchr("<>", first);
    bool logical = first == second && (first == '&' || first == '|');
    return (compares && !shifts) || logical ? OPERATOR_TRUTH : OPERATOR_OTHER;
}

static bool is_pointer(CXCursor cursor)
{
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(cursor)).kind;
    return kind == CXType_Pointer || kind == CXType_ConstantArray || kind == CXType_IncompleteArray;
}

static struct flow_values value_of_operator(struct flow_reader *reader, CXCursor cursor)
{
    struct flow_values none = {0};
    struct flow_children children = flow_children_of(cursor);
    if (children.count != 2) {
        memory_free(children.items);
        return none;
    }
    CXCursor left_cursor = children.items[0], right_cursor = children.items[1];
    memory_free(children.items);
    struct flow_values left = flow_value_of(reader, left_cursor);
    struct flow_values right = flow_value_of(reader, right_cursor);
    if (clang_getCursorKind(cursor) == CXCursor_CompoundAssignOperator) {
        struct flow_values made = {0};
        flow_values_join(&made, &right, false);
        flow_values_assign(reader, &left, &made, flow_line_of(cursor));
        return left;
    }
    switch (operator_between(reader, left_cursor, right_cursor)) {
    case OPERATOR_ASSIGN:
        reader->through = clang_getCursorKind(cursor_unwrap(left_cursor)) != CXCursor_DeclRefExpr;
        flow_values_assign(reader, &left, &right, flow_line_of(cursor));
        reader->through = false;
        flow_values_alias(reader, &left, &right, right_cursor);
        return left;
    case OPERATOR_COMMA:
        return right;
    case OPERATOR_TRUTH:
        return none;
    case OPERATOR_OTHER:
        break;
    }
    struct flow_values both = {0};
    flow_values_join(&both, &left, is_pointer(left_cursor));
    flow_values_join(&both, &right, is_pointer(right_cursor));
    return both;
}

static struct flow_values value_of_part(struct flow_reader *reader, CXCursor cursor, uint32_t skip)
{
    struct flow_values values = {0};
    struct flow_children children = flow_children_of(cursor);
    for (uint32_t i = 0; i < children.count; i++) {
        struct flow_values one = flow_value_of(reader, children.items[i]);
        if (i >= skip)
            flow_values_join(&values, &one, true);
    }
    memory_free(children.items);
    return values;
}

static struct flow_values value_of_element(struct flow_reader *reader, CXCursor cursor)
{
    struct flow_children children = flow_children_of(cursor);
    struct flow_values values = {0};
    for (uint32_t i = 0; i < children.count; i++) {
        struct flow_values one = flow_value_of(reader, children.items[i]);
        if (i == 0)
            values = one;
    }
    memory_free(children.items);
    return values;
}

/* What is put where p leads is in x after p = &x. */
void flow_values_alias(struct flow_reader *reader, const struct flow_values *to,
                       const struct flow_values *from, CXCursor value)
{
    CXFile file;
    unsigned offset;
    size_t size;
    value = cursor_unwrap(value);
    if (clang_getCursorKind(value) != CXCursor_UnaryOperator)
        return;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(value)), &file, NULL, NULL,
                               &offset);
    const char *text = file ? clang_getFileContents(reader->clang, file, &size) : NULL;
    if (text && offset < size && text[offset] == '&')
        flow_values_assign(reader, from, to, flow_line_of(value));
}

/* ---- initialiser lists ---- */

static enum CXVisitorResult take_field(CXCursor field, CXClientData data)
{
    struct flow_children *fields = data;
    VEC_PUSH(fields->items, fields->count, fields->capacity) = field;
    return CXVisit_Continue;
}

/* { .handler = f } has the member in front of the value. */
static bool is_designated(CXCursor item, CXCursor *member)
{
    *member = cursor_first(item);
    return clang_getCursorKind(item) == CXCursor_UnexposedExpr &&
           clang_getCursorKind(*member) == CXCursor_MemberRef;
}

static struct flow_values value_of_list(struct flow_reader *reader, CXCursor cursor)
{
    struct flow_values all = {0};
    struct flow_children items = flow_children_of(cursor), fields = {0};
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    if (type.kind == CXType_Record)
        clang_Type_visitFields(type, take_field, &fields);
    for (uint32_t i = 0; i < items.count; i++) {
        CXCursor member, target = clang_getNullCursor();
        if (is_designated(items.items[i], &member))
            target = clang_getCursorReferenced(member);
        else if (i < fields.count)
            target = fields.items[i];
        struct flow_values one = flow_value_of(reader, items.items[i]), field = {0};
        if (!clang_Cursor_isNull(target) && clang_getCursorKind(target) == CXCursor_FieldDecl) {
            flow_values_add(&field, flow_variable(reader, target), true);
            flow_values_assign(reader, &field, &one, flow_line_of(cursor));
            flow_values_alias(reader, &field, &one, items.items[i]);
        }
        flow_values_join(&all, &one, fields.count == 0);
    }
    memory_free(items.items);
    memory_free(fields.items);
    return all;
}

static struct flow_values value_of_lambda(struct flow_reader *reader, CXCursor cursor)
{
    struct flow_values values = {0};
    CXCursor type = clang_getTypeDeclaration(clang_getCursorType(cursor));
    struct flow_children members = flow_children_of(type);
    for (uint32_t i = 0; i < members.count; i++)
        if (kind_is_function(clang_getCursorKind(members.items[i])) &&
            cursor_is_call_operator(members.items[i])) {
            flow_read_function(reader, members.items[i]);
            uint32_t id = flow_function_of(reader, members.items[i]);
            flow_values_add(&values, reader->flow->functions[id].node, true);
        }
    memory_free(members.items);
    return values;
}

struct flow_values flow_value_of(struct flow_reader *reader, CXCursor cursor)
{
    struct flow_values none = {0};
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    switch (kind) {
    case CXCursor_DeclRefExpr:
        return value_of_name(reader, cursor);
    case CXCursor_MemberRefExpr:
        return value_of_member(reader, cursor);
    case CXCursor_CallExpr:
        return flow_call_value(reader, cursor);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        return value_of_operator(reader, cursor);
    case CXCursor_ArraySubscriptExpr:
        return value_of_element(reader, cursor);
    case CXCursor_ConditionalOperator:
        return value_of_part(reader, cursor, 1);
    case CXCursor_InitListExpr:
        return value_of_list(reader, cursor);
    case CXCursor_LambdaExpr:
        return value_of_lambda(reader, cursor);
    case CXCursor_CXXThisExpr:
        flow_values_add(&none, reader->object, true);
        return none;
    case CXCursor_UnaryExpr: /* sizeof */
    case CXCursor_CXXTypeidExpr:
        return none;
    default:
        break;
    }
    if (clang_isStatement(kind) || kind == CXCursor_VarDecl) {
        flow_read_statement(reader, cursor);
        return none;
    }
    return value_of_all(reader, cursor, true);
}
