#include "sampler/point_operand.h"

#include <stdlib.h>
#include <string.h>

/* ---- registers, by their numbers in a sample (linux/asm/perf_regs.h, without those between that are
 * not asked for, as unwinder_registers has it) ---- */

#if defined(__aarch64__)
enum { STACK_REGISTER = 31, RETURN_REGISTER = 0 };
static const uint8_t arguments[] = {0, 1, 2, 3, 4, 5};
#else
enum { STACK_REGISTER = 7, RETURN_REGISTER = 0 };
static const uint8_t arguments[] = {5, 4, 3, 2, 9, 10}; /* di si dx cx r8 r9 */
#endif

/* The parts of a register of x86-64 by their names: of 8, 4, 2 bytes, of the lowest one, of the second. */
static const char *const parts[][5] = {
    {"rax", "eax", "ax", "al", "ah"},
    {"rbx", "ebx", "bx", "bl", "bh"},
    {"rcx", "ecx", "cx", "cl", "ch"},
    {"rdx", "edx", "dx", "dl", "dh"},
    {"rsi", "esi", "si", "sil", ""},
    {"rdi", "edi", "di", "dil", ""},
    {"rbp", "ebp", "bp", "bpl", ""},
    {"rsp", "esp", "sp", "spl", ""},
    {"rip", "", "", "", ""},
    {"r8", "r8d", "r8w", "r8b", ""},
    {"r9", "r9d", "r9w", "r9b", ""},
    {"r10", "r10d", "r10w", "r10b", ""},
    {"r11", "r11d", "r11w", "r11b", ""},
    {"r12", "r12d", "r12w", "r12b", ""},
    {"r13", "r13d", "r13w", "r13b", ""},
    {"r14", "r14d", "r14w", "r14b", ""},
    {"r15", "r15d", "r15w", "r15b", ""},
};
enum { REGISTERS = sizeof parts / sizeof *parts, PARTS = 5, HIGH_BYTE = 4 };

/* "%rax": the register's number, and which part; or OPERAND_NO_REGISTER. */
static uint8_t register_at(const char **at, const char *end, int *part)
{
    const char *name = *at + 1, *stop = name;
    if (*at >= end || **at != '%')
        return OPERAND_NO_REGISTER;
    while (stop < end && ((*stop >= 'a' && *stop <= 'z') || (*stop >= '0' && *stop <= '9')))
        stop++;
    size_t length = (size_t)(stop - name);
    for (uint8_t i = 0; i < REGISTERS && length; i++)
        for (*part = 0; *part < PARTS; ++*part)
            if (strlen(parts[i][*part]) == length && strncmp(parts[i][*part], name, length) == 0) {
                *at = stop;
                return i;
            }
    return OPERAND_NO_REGISTER;
}

/* ---- the text ---- */

static bool number_at(const char **at, const char *end, int64_t *number)
{
    char text[32];
    char *stop;
    size_t length = (size_t)(end - *at) < sizeof text - 1 ? (size_t)(end - *at) : sizeof text - 1;
    memcpy(text, *at, length);
    text[length] = '\0';
    if (*text != '-' && (*text < '0' || *text > '9'))
        return false;
    *number = strtoll(text, &stop, 0);
    *at += stop - text;
    return stop > text;
}

/* "8@", "-4@". Older compilers leave it out, of operands of 8 bytes. */
static bool read_size(struct point_operand *operand, const char **at, const char *end)
{
    const char *start = *at;
    int64_t size;
    if (!number_at(at, end, &size) || *at >= end || **at != '@') {
        *at = start;
        operand->bytes = 8;
        return true;
    }
    ++*at;
    operand->is_signed = size < 0;
    size = size < 0 ? -size : size;
    operand->bytes = (uint8_t)size;
    return size == 1 || size == 2 || size == 4 || size == 8;
}

/* ",%rcx,8)" or ")" */
static bool read_index(struct point_operand *operand, const char **at, const char *end)
{
    int part;
    int64_t scale;
    operand->scale = 1;
    if (*at < end && **at == ',') {
        ++*at;
        operand->index = register_at(at, end, &part);
        if (operand->index == OPERAND_NO_REGISTER || part != 0)
            return false;
    }
    if (operand->index != OPERAND_NO_REGISTER && *at < end && **at == ',') {
        ++*at;
        if (!number_at(at, end, &scale) || scale < 1 || scale > 8 || (scale & (scale - 1)))
            return false;
        operand->scale = (uint8_t)scale;
    }
    return *at < end && *(*at)++ == ')';
}

/* "-24(%rbp,%rcx,8)" */
static bool read_memory(struct point_operand *operand, const char **at, const char *end)
{
    int part = 0;
    operand->kind = OPERAND_MEMORY;
    if (*at < end && **at != '(' && !number_at(at, end, &operand->constant))
        return false;
    if (*at >= end || *(*at)++ != '(')
        return false;
    operand->base = register_at(at, end, &part);
    return operand->base != OPERAND_NO_REGISTER && part == 0 && read_index(operand, at, end);
}

bool point_operand_read(struct point_operand *operand, const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    int part = 0;
    *operand = (struct point_operand){.base = OPERAND_NO_REGISTER, .index = OPERAND_NO_REGISTER};
    if (!read_size(operand, &at, end) || at >= end)
        return false;
    if (*at == '$') {
        operand->kind = OPERAND_CONSTANT;
        at++;
        return number_at(&at, end, &operand->constant) && at == end;
    }
    if (*at != '%')
        return read_memory(operand, &at, end) && at == end;
    operand->kind = OPERAND_REGISTER;
    operand->base = register_at(&at, end, &part);
    operand->high = part == HIGH_BYTE;
    return operand->base != OPERAND_NO_REGISTER && at == end;
}

/* ---- functions ---- */

struct point_operand point_operand_argument(uint8_t argument)
{
    return (struct point_operand){.kind = OPERAND_REGISTER,
                                  .bytes = 8,
                                  .base = arguments[argument - 1],
                                  .index = OPERAND_NO_REGISTER};
}

struct point_operand point_operand_returned(void)
{
    return (struct point_operand){.kind = OPERAND_REGISTER,
                                  .bytes = 8,
                                  .base = RETURN_REGISTER,
                                  .index = OPERAND_NO_REGISTER};
}

/* ---- values ---- */

uint64_t point_operand_stack(const struct unwinder_thread *thread)
{
    return thread->registers[STACK_REGISTER];
}

static uint64_t cut(const struct point_operand *operand, uint64_t value)
{
    unsigned unused = 64 - 8u * operand->bytes;
    if (operand->is_signed)
        return (uint64_t)((int64_t)(value << unused) >> unused);
    return value << unused >> unused;
}

static bool read_stack(const struct point_operand *operand, const struct unwinder_thread *thread,
                       uint64_t *value)
{
    uint64_t address = thread->registers[operand->base] + (uint64_t)operand->constant;
    if (operand->index != OPERAND_NO_REGISTER)
        address += thread->registers[operand->index] * operand->scale;
    uint64_t in = address - point_operand_stack(thread);
    *value = 0;
    if (in > thread->stack_bytes || thread->stack_bytes - in < operand->bytes)
        return false;
    memcpy(value, thread->stack + in, operand->bytes);
    return true;
}

bool point_operand_value(const struct point_operand *operand, const struct unwinder_thread *thread,
                         uint64_t *value)
{
    *value = 0;
    switch (operand->kind) {
    case OPERAND_CONSTANT:
        *value = (uint64_t)operand->constant;
        break;
    case OPERAND_REGISTER:
        *value = thread->registers[operand->base] >> (operand->high ? 8 : 0);
        break;
    case OPERAND_MEMORY:
        if (!read_stack(operand, thread, value))
            return false;
        break;
    default:
        return true;
    }
    *value = cut(operand, *value);
    return true;
}
