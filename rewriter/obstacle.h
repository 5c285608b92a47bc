/* obstacle.h - why something can't be edited.
 *
 *     enum obstacle why = OBSTACLE_CONSTEXPR;
 *     obstacle_text(why)                            "it is constexpr"
 *
 * The program asks for the obstacle, people read its text; the texts stand in one table. Facts are
 * kept on disk with the numbers, under a key that holds the hash of this file.
 */
#ifndef REWRITER_OBSTACLE_H
#define REWRITER_OBSTACLE_H

#include <stdbool.h>

enum obstacle {
    OBSTACLE_NONE,
    /* of a text */
    OBSTACLE_FROM_MACRO,
    OBSTACLE_BODY_FROM_MACRO,
    OBSTACLE_NAME_FROM_MACRO,
    OBSTACLE_PARENTHESES_FROM_MACRO,
    OBSTACLE_MACRO_REPEATS,
    OBSTACLE_MACRO_DIFFERS,
    OBSTACLE_FUNCTION_FROM_MACRO,
    OBSTACLE_STRINGIZED,
    OBSTACLE_OTHER_FILE,
    OBSTACLE_DIRECTIVE,
    OBSTACLE_OUTSIDE_BODY,
    OBSTACLE_CAPTURE,
    OBSTACLE_VECTOR_LOOP,
    OBSTACLE_COMPILATIONS_DIFFER,
    /* of a value */
    OBSTACLE_UNEVALUATED,
    OBSTACLE_LITERAL,
    OBSTACLE_TEMPORARY,
    OBSTACLE_DEPENDENT,
    OBSTACLE_RVALUE,
    OBSTACLE_OBJECT,
    OBSTACLE_REFERENCE,
    OBSTACLE_MAYBE_CONSTANT,
    OBSTACLE_IS_CONSTANT,
    /* of what is called */
    OBSTACLE_CALLERS_FRAME,
    OBSTACLE_WARNS_BY_NEXT,
    OBSTACLE_NO_RETURN,
    OBSTACLE_FORMAT,
    /* of a function's body */
    OBSTACLE_CONSTEXPR,
    OBSTACLE_CONSTEVAL,
    OBSTACLE_IN_CONSTANT,
    OBSTACLE_CALL_IS_CONSTANT,
    OBSTACLE_NAKED,
    OBSTACLE_INTERRUPT,
    OBSTACLE_NO_SANITIZE,
    OBSTACLE_OTHER_TARGET,
    OBSTACLE_IFUNC,
    OBSTACLE_EXTERN_INLINE,
    OBSTACLE_LABELS,
    OBSTACLE_PRAGMA,
    OBSTACLE_COROUTINE,
    OBSTACLE_TRY_BLOCK,
    OBSTACLE_CROWDED,
    /* of declared synchronization */
    OBSTACLE_RETURNS_NO_TASK,
    OBSTACLE_RESULT_NO_SCALAR,
    OBSTACLE_BARE_COMMA,
    OBSTACLE_NO_ARGUMENT,
    OBSTACLE_ARGUMENT_NO_SCALAR,
    OBSTACLE_ARGUMENT_BARE_COMMA,
    OBSTACLE_ADDRESS_TAKEN,
    OBSTACLE_NO_BODY,
    OBSTACLE_TASK_IS_RESULT,
    OBSTACLE_NO_PARAMETER,
    OBSTACLE_PARAMETER_NO_NAME,
    OBSTACLE_PARAMETER_NO_SCALAR,
    /* of a file */
    OBSTACLE_FILE_GONE,
    OBSTACLE_FILE_CHANGED,
    OBSTACLE_COUNT
};

/* "it is constexpr"; NULL for OBSTACLE_NONE. */
const char *obstacle_text(enum obstacle obstacle);

/* It is constexpr or consteval: what stands in it may have to be a constant. */
bool obstacle_is_constexpr(enum obstacle obstacle);

/* A macro makes the function: several functions may stand at one place of the source. */
bool obstacle_is_made(enum obstacle obstacle);

#endif
