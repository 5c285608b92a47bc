#include "rewriter/obstacle.h"

#include <stddef.h>

static const char *const TEXTS[OBSTACLE_COUNT] = {
    [OBSTACLE_FROM_MACRO] = "it comes from a macro",
    [OBSTACLE_BODY_FROM_MACRO] = "its body comes from a macro",
    [OBSTACLE_NAME_FROM_MACRO] = "its name comes from a macro",
    [OBSTACLE_PARENTHESES_FROM_MACRO] = "its parentheses come from a macro",
    [OBSTACLE_MACRO_REPEATS] = "a macro repeats it",
    [OBSTACLE_MACRO_DIFFERS] = "what its macro stands for differs",
    [OBSTACLE_FUNCTION_FROM_MACRO] = "its function comes from a macro",
    [OBSTACLE_STRINGIZED] = "it is an argument of a macro that uses # or ##",
    [OBSTACLE_OTHER_FILE] = "its text is in another file",
    [OBSTACLE_DIRECTIVE] = "a preprocessor line stands in it",
    [OBSTACLE_OUTSIDE_BODY] = "it stands outside of the function's block",
    [OBSTACLE_CAPTURE] = "it stands in a lambda's captures",
    [OBSTACLE_VECTOR_LOOP] = "its loop is to be vectorized",
    [OBSTACLE_COMPILATIONS_DIFFER] = "it differs from compilation to compilation",
    [OBSTACLE_UNEVALUATED] = "it is not evaluated",
    [OBSTACLE_LITERAL] = "a compound literal in it would die earlier",
    [OBSTACLE_TEMPORARY] = "a temporary object in it would die earlier",
    [OBSTACLE_DEPENDENT] = "its type depends on a template parameter",
    [OBSTACLE_RVALUE] = "its result is an rvalue",
    [OBSTACLE_OBJECT] = "its result is an object",
    [OBSTACLE_REFERENCE] = "its result is a reference",
    [OBSTACLE_MAYBE_CONSTANT] = "it may be a constant",
    [OBSTACLE_IS_CONSTANT] = "it is a constant",
    [OBSTACLE_CALLERS_FRAME] = "it depends on its caller's frame",
    [OBSTACLE_WARNS_BY_NEXT] = "the compiler warns by what follows it",
    [OBSTACLE_NO_RETURN] = "it does not return",
    [OBSTACLE_FORMAT] = "its result is a format that the compiler checks",
    [OBSTACLE_CONSTEXPR] = "it is constexpr",
    [OBSTACLE_CONSTEVAL] = "it is consteval",
    [OBSTACLE_IN_CONSTANT] = "it stands in a constant",
    [OBSTACLE_CALL_IS_CONSTANT] = "a call of it is a constant",
    [OBSTACLE_NAKED] = "it is naked",
    [OBSTACLE_INTERRUPT] = "it is an interrupt handler",
    [OBSTACLE_NO_SANITIZE] = "it has a no_sanitize attribute",
    [OBSTACLE_OTHER_TARGET] = "it is compiled for another target",
    [OBSTACLE_IFUNC] = "it is an ifunc",
    [OBSTACLE_EXTERN_INLINE] = "it is inline but not static, and may not use static functions",
    [OBSTACLE_LABELS] = "it declares labels first",
    [OBSTACLE_PRAGMA] = "it begins with a pragma",
    [OBSTACLE_COROUTINE] = "it is a coroutine",
    [OBSTACLE_TRY_BLOCK] = "it is a function try block",
    [OBSTACLE_CROWDED] = "one function calls it at more than 10,000 places: divide that",
    [OBSTACLE_RETURNS_NO_TASK] = "only a dequeue function can give its task as its result",
    [OBSTACLE_RESULT_NO_SCALAR] = "its result is neither a number nor a pointer",
    [OBSTACLE_BARE_COMMA] = "it holds a brace or a bare comma",
    [OBSTACLE_NO_ARGUMENT] = "it has no such argument",
    [OBSTACLE_ARGUMENT_NO_SCALAR] = "the argument is neither a number nor a pointer",
    [OBSTACLE_ARGUMENT_BARE_COMMA] = "the argument holds a brace or a bare comma",
    [OBSTACLE_ADDRESS_TAKEN] = "its address is taken: what is called through it is not seen",
    [OBSTACLE_NO_BODY] = "its body is not in the tree",
    [OBSTACLE_TASK_IS_RESULT] = "its task is its result",
    [OBSTACLE_NO_PARAMETER] = "it has no such parameter",
    [OBSTACLE_PARAMETER_NO_NAME] = "the parameter has no name",
    [OBSTACLE_PARAMETER_NO_SCALAR] = "the parameter is neither a number nor a pointer",
    [OBSTACLE_FILE_GONE] = "it is gone since it was parsed",
    [OBSTACLE_FILE_CHANGED] = "it changed since it was parsed",
};

const char *obstacle_text(enum obstacle obstacle)
{
    return TEXTS[obstacle];
}

bool obstacle_is_made(enum obstacle obstacle)
{
    return obstacle == OBSTACLE_FROM_MACRO || obstacle == OBSTACLE_BODY_FROM_MACRO;
}

bool obstacle_is_constexpr(enum obstacle obstacle)
{
    return obstacle == OBSTACLE_CONSTEXPR || obstacle == OBSTACLE_CONSTEVAL;
}
