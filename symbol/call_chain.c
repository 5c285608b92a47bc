#include "symbol/call_chain.h"

#include <stdbool.h>
#include <string.h>

#include "symbol/inlined_call.h"
#include "symbol/machine_code.h"
#include "symbol/symbolizer.h"
#include "symbol/symbolizer_inside.h"

enum { MOST_INLINED = 64 };

enum call_kind {
    CALL_NONE,   /* no call ends there */
    CALL_OTHER,  /* of another function than is sought */
    CALL_STUB,   /* of no function by name, as is the way into another object */
    CALL_ANY,    /* through a pointer */
    CALL_WANTED, /* of the function that is sought */
};

/* Bytes of `call *...` (FF /2) from its opcode on, by its second and third byte. */
static size_t indirect_length(unsigned char mod_rm)
{
    unsigned mod = mod_rm >> 6, rm = mod_rm & 7;
    if ((mod_rm >> 3 & 7) != 2)
        return 0;
    size_t length = 2 + (mod != 3 && rm == 4);
    if (mod == 1)
        return length + 1;
    return length + (mod == 2 || (mod == 0 && rm == 5) ? 4 : 0);
}

static bool ends_indirect_call(const struct machine_code *code)
{
    for (size_t length = 2; length <= 7 && length <= code->size; length++)
        if (code->end[-(ptrdiff_t)length] == 0xff &&
            indirect_length(code->end[1 - (ptrdiff_t)length]) == length)
            return true;
    return false;
}

/* The call that returns to `address`; CALL_OTHER: of *target. */
static enum call_kind call_x86_64(const struct machine_code *code, uint64_t address,
                                  uint64_t *target)
{
    int32_t distance;
    if (code->size >= 5 && code->end[-5] == 0xe8) {
        memcpy(&distance, code->end - 4, sizeof distance);
        *target = address + (uint64_t)(int64_t)distance;
        return CALL_OTHER;
    }
    return ends_indirect_call(code) ? CALL_ANY : CALL_NONE;
}

static enum call_kind call_aarch64(const struct machine_code *code, uint64_t address,
                                   uint64_t *target)
{
    uint32_t word;
    if (code->size < sizeof word)
        return CALL_NONE;
    memcpy(&word, code->end - sizeof word, sizeof word);
    if ((word & 0xfffffc1fu) == 0xd63f0000u)
        return CALL_ANY;
    if ((word & 0xfc000000u) != 0x94000000u)
        return CALL_NONE;
    int64_t words = (int64_t)(word & 0x3ffffffu) - (word & 0x2000000u ? 0x4000000 : 0);
    *target = address - 4 + (uint64_t)(words * 4);
    return CALL_OTHER;
}

static size_t plain_length(const char *name)
{
    return strcspn(name + 1, ".") + 1;
}

/* The names are the same but for what the compiler appends: ".part.0", ".cold" */
static bool is_same(const char *a, const char *b)
{
    size_t length = plain_length(a);
    return length == plain_length(b) && memcmp(a, b, length) == 0;
}

/* The result is how the call before `address` may have come to `wanted`; NULL: to whatever. */
static enum call_kind call_of(struct symbolizer *symbolizer, uint64_t address, const char *wanted)
{
    struct machine_code code = machine_code_before(symbolizer, address);
    uint64_t target = 0;
    enum call_kind kind = code.machine == EM_X86_64    ? call_x86_64(&code, address, &target)
                          : code.machine == EM_AARCH64 ? call_aarch64(&code, address, &target)
                                                       : CALL_NONE;
    if (kind != CALL_OTHER)
        return kind;
    const char *name = symbolizer_name(symbolizer, target);
    if (!name)
        return CALL_STUB;
    return !wanted || is_same(name, wanted) ? CALL_WANTED : CALL_OTHER;
}

/* The first of the most likely ones from `at` on, or `count`. */
static uint32_t next_return(struct symbolizer *symbolizer, const uint64_t *stack, uint32_t count,
                            uint32_t at, const char *wanted)
{
    enum call_kind best = CALL_NONE;
    uint32_t found = count;
    for (; at < count && best < CALL_WANTED; at++) {
        enum call_kind kind = call_of(symbolizer, stack[at], wanted);
        if (kind > best) {
            best = kind;
            found = at;
        }
        if (!wanted && best != CALL_NONE)
            break;
    }
    return found;
}

/* A return may stand behind the last byte of its function. */
static uint32_t add_functions(struct symbolizer *symbolizer, uint64_t address,
                              struct chain_call *calls, uint32_t most)
{
    struct inlined_call inlined[MOST_INLINED], into;
    uint32_t room = most < MOST_INLINED ? most : MOST_INLINED;
    uint32_t count = inlined_calls(symbolizer, address - 1, inlined, room, &into);
    for (uint32_t i = 0; i < count; i++)
        calls[i] = (struct chain_call){inlined[i].name, inlined[i].line};
    const char *name = symbolizer_name(symbolizer, address - 1);
    if (name && *name && count < most)
        calls[count++] = (struct chain_call){
            arena_strndup(&symbolizer->arena, name, plain_length(name)), into.line};
    return count;
}

uint32_t call_chain(struct symbolizer *symbolizer, const uint64_t *stack, uint32_t stack_count,
                    struct chain_call *calls, uint32_t most)
{
    const char *wanted = NULL;
    uint32_t count = 0;
    if (!symbolizer->dwfl)
        return 0;
    for (uint32_t at = 0; count < most; at++) {
        at = next_return(symbolizer, stack, stack_count, at, wanted);
        if (at == stack_count)
            break;
        count += add_functions(symbolizer, stack[at], calls + count, most - count);
        wanted = symbolizer_name(symbolizer, stack[at] - 1);
    }
    return count;
}
