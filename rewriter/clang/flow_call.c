#include <string.h>

#include "base/memory.h"
#include "rewriter/clang/cursor.h"
#include "rewriter/clang/flow_value.h"

static struct flow_list keep_items(struct flow *flow, const uint32_t *items, uint32_t count)
{
    struct flow_list list = {flow->item_count, count};
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(flow->items, flow->item_count, flow->item_capacity) = items[i];
    return list;
}

/* The arguments of a call while it is read; of a member function, its object is the first. */
struct call_values {
    struct flow_list lists[32];
    uint32_t count;
};

static void add_argument(struct flow_reader *reader, struct call_values *call,
                         const struct flow_values *values)
{
    if (call->count < sizeof call->lists / sizeof call->lists[0])
        call->lists[call->count++] = keep_items(reader->flow, values->items, values->count);
}

static uint32_t result_node(struct flow_reader *reader, CXCursor call, uint32_t number)
{
    struct flow *flow = reader->flow;
    char *key = arena_printf(&flow->arena, "call %u", number);
    uint32_t id = flow_add_node(flow, key, FLOW_RESULT);
    CXType type = clang_getCanonicalType(clang_getCursorType(call));
    struct flow_node *node = &flow->nodes[id];
    node->function = reader->function;
    node->number = number;
    node->scalar = type_is_scalar(type);
    cursor_take_text(clang_getTypeSpelling(type), &flow->arena, &node->type);
    return id;
}

/* The callee is the first child, but of constructors and operators. */
struct call_shape {
    CXCursor callee; /* a function, or null */
    CXCursor object; /* null: there is none */
    uint32_t first;  /* child that is an argument */
    bool made;       /* the object is the call's result */
};

static struct call_shape shape_of(CXCursor call, const struct flow_children *children)
{
    struct call_shape shape = {.callee = clang_getNullCursor(), .object = clang_getNullCursor()};
    CXCursor target = clang_getCursorReferenced(call);
    bool known = kind_is_function(clang_getCursorKind(target));
    int arguments = clang_Cursor_getNumArguments(call);
    if (known)
        shape.callee = target;
    if (known && clang_getCursorKind(target) == CXCursor_Constructor) {
        shape.made = true;
        return shape;
    }
    bool bare = arguments > 0 && children->count &&
                cursor_is_same_text(children->items[0], clang_Cursor_getArgument(call, 0));
    shape.first = bare ? 0 : 1;
    CXCursor first = children->count ? cursor_unwrap(children->items[0]) : shape.callee;
    if (!bare && known && clang_getCursorKind(first) == CXCursor_MemberRefExpr &&
        (clang_getCursorKind(target) == CXCursor_CXXMethod ||
         clang_getCursorKind(target) == CXCursor_ConversionFunction))
        shape.object = cursor_first(first);
    return shape;
}

static void note_object(struct flow_reader *reader, const struct call_shape *shape,
                        struct call_values *values, uint32_t result)
{
    struct flow_values object = {0};
    if (shape->made) {
        flow_values_add(&object, result, true);
    } else if (!clang_Cursor_isNull(shape->object) &&
               clang_isExpression(clang_getCursorKind(shape->object))) {
        object = flow_value_of(reader, shape->object);
    } else if (!clang_Cursor_isNull(shape->callee) &&
               clang_getCursorKind(shape->callee) == CXCursor_CXXMethod && shape->first == 1 &&
               !clang_CXXMethod_isStatic(shape->callee)) {
        flow_values_add(&object, reader->object, true);
    } else {
        return;
    }
    add_argument(reader, values, &object);
}

/* The text is one that can stand in a declaration. */
static const char *text_of(struct flow_reader *reader, CXCursor argument)
{
    enum { MOST_BYTES = 80 };
    CXFile file, other;
    unsigned from, to;
    size_t size;
    CXSourceRange range = clang_getCursorExtent(argument);
    clang_getExpansionLocation(clang_getRangeStart(range), &file, NULL, NULL, &from);
    clang_getExpansionLocation(clang_getRangeEnd(range), &other, NULL, NULL, &to);
    const char *text = file ? clang_getFileContents(reader->clang, file, &size) : NULL;
    if (!text || file != other || from >= to || to > size || to - from > MOST_BYTES ||
        memchr(text + from, '\n', to - from))
        return "";
    return arena_strndup(&reader->flow->arena, text + from, to - from);
}

/* Of a member function the object is the first, and has none. */
static const char *const *texts_of(struct flow_reader *reader, CXCursor call, uint32_t kept,
                                   int count)
{
    const char **texts = ARENA_ARRAY(&reader->flow->arena, const char *, kept + 1);
    uint32_t given = count > 0 ? (uint32_t)count : 0;
    for (uint32_t i = 0; i < kept; i++) {
        uint32_t hidden = kept > given ? kept - given : 0;
        texts[i] = i < hidden ? "" : text_of(reader, clang_Cursor_getArgument(call, i - hidden));
    }
    return texts;
}

struct flow_values flow_call_value(struct flow_reader *reader, CXCursor cursor)
{
    struct flow *flow = reader->flow;
    struct flow_children children = flow_children_of(cursor);
    struct call_shape shape = shape_of(cursor, &children);
    struct flow_values pointer = {0}, value = {0};
    struct call_values values = {0};
    struct flow_call call = {.function = reader->function,
                             .callee = FLOW_NONE,
                             .line = flow_line_of(cursor),
                             .statement = reader->statement,
                             .loop = reader->loop,
                             .block = reader->block,
                             .arm = reader->arm};
    uint32_t number = flow->call_count;
    VEC_PUSH(flow->calls, flow->call_count, flow->call_capacity) = call;
    call.result = result_node(reader, cursor, number);
    if (!clang_Cursor_isNull(shape.callee))
        call.callee = flow_function_of(reader, shape.callee);
    else if (shape.first && children.count)
        pointer = flow_value_of(reader, children.items[0]);
    note_object(reader, &shape, &values, call.result);
    int count = clang_Cursor_getNumArguments(cursor);
    bool drops = call.callee != FLOW_NONE && flow->functions[call.callee].lambda;
    for (int i = drops && !shape.first ? 1 : 0; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(cursor, (unsigned)i);
        struct flow_values one = flow_value_of(reader, argument);
        if (i == 0)
            call.constant_first = one.count == 0 && cursor_is_constant(cursor_unwrap(argument));
        add_argument(reader, &values, &one);
    }
    if (call.callee != FLOW_NONE && !flow->functions[call.callee].body)
        call.texts = texts_of(reader, cursor, values.count, count);
    call.pointer = keep_items(flow, pointer.items, pointer.count);
    call.arguments = (struct flow_list){flow->item_count, values.count};
    for (uint32_t i = 0; i < values.count; i++) {
        VEC_PUSH(flow->items, flow->item_count, flow->item_capacity) = values.lists[i].first;
        VEC_PUSH(flow->items, flow->item_count, flow->item_capacity) = values.lists[i].count;
    }
    flow->calls[number] = call;
    memory_free(children.items);
    flow_values_add(&value, call.result, true);
    return value;
}
