#include "rewriter/clang/ending.h"

#include "rewriter/clang/cursor.h"
#include "rewriter/clang/found.h"

/* An object's end is that of its type and of what it holds. */
struct ending {
    struct node *node;
    CXCursor destructor; /* that the class declares */
    int depth;           /* of members in members that are looked at */
};

static void note_ending(struct node *node, CXType type, bool behind, int depth);

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
        note_ending(ending->node, clang_getCursorType(cursor), false, ending->depth);
    return CXChildVisit_Continue;
}

static void note_destructor(struct node *node, CXCursor destructor, bool behind)
{
    uint32_t index = found_function(node->unit, destructor);
    node->unit->facts->functions[index].address_taken = true;
    body_note_callee(node->body, index);
    if (behind && clang_CXXMethod_isVirtual(destructor))
        body_note_virtual(node->body, index);
}

/* A library's container or pointer ends what its parameters name. Behind a pointer the object may
 * be of a derived class. */
static void note_ending(struct node *node, CXType type, bool behind, int depth)
{
    type = clang_getCanonicalType(type);
    while (type.kind == CXType_ConstantArray)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    if (type.kind != CXType_Record || depth == 0)
        return;
    CXCursor class = clang_getTypeDeclaration(type);
    if (!unit_holds(node->unit, class)) {
        int count = clang_Type_getNumTemplateArguments(type);
        for (int i = 0; i < count; i++)
            note_ending(node, clang_Type_getTemplateArgumentAsType(type, (unsigned)i), true,
                        depth - 1);
        return;
    }
    class = cursor_pattern(class);
    struct ending ending = {node, clang_getNullCursor(), depth - 1};
    clang_visitChildren(class, take_destructor, &ending);
    if (!clang_Cursor_isNull(ending.destructor))
        note_destructor(node, ending.destructor, behind);
    else
        clang_visitChildren(class, note_member_ending, &ending);
}

enum { ENDING_DEPTH = 4 };

void endings_note(struct node *node)
{
    enum CXCursorKind kind = clang_getCursorKind(node->cursor);
    if (kind == CXCursor_VarDecl) {
        note_ending(node, clang_getCursorType(node->cursor), false, ENDING_DEPTH);
    } else if (kind == CXCursor_CXXDeleteExpr) {
        CXType pointer = clang_getCanonicalType(clang_getCursorType(cursor_first(node->cursor)));
        note_ending(node, clang_getPointeeType(pointer), true, ENDING_DEPTH);
    } else if (kind == CXCursor_Destructor) {
        struct ending ending = {node, node->cursor, ENDING_DEPTH};
        clang_visitChildren(clang_getCursorSemanticParent(node->cursor), note_member_ending,
                            &ending);
    }
}
