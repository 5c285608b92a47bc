#include "sampler/unwind_expression.h"

#include <dwarf.h>

enum { DEPTH = 32, MOST_STEPS = 1000 };

struct machine {
    const struct unwind_context *context;
    const Dwarf_Op *operations;
    size_t count, at;
    uint64_t stack[DEPTH];
    unsigned depth;
    bool failed, is_value;
};

static void push(struct machine *machine, uint64_t value)
{
    if (machine->depth == DEPTH)
        machine->failed = true;
    else
        machine->stack[machine->depth++] = value;
}

static uint64_t pop(struct machine *machine)
{
    if (machine->depth)
        return machine->stack[--machine->depth];
    machine->failed = true;
    return 0;
}

/* The one that lies so deep, 0 the uppermost. */
static void push_copy(struct machine *machine, uint64_t deep)
{
    if (deep >= machine->depth)
        machine->failed = true;
    else
        push(machine, machine->stack[machine->depth - 1 - deep]);
}

static void push_register(struct machine *machine, uint64_t number, uint64_t offset)
{
    if (number >= UNWIND_REGISTERS || !unwind_knows(machine->context->registers, (unsigned)number))
        machine->failed = true;
    else
        push(machine, machine->context->registers->values[number] + offset);
}

static void push_read(struct machine *machine, uint64_t bytes)
{
    uint64_t word = 0, address = pop(machine);
    if (bytes == 0 || bytes > sizeof word || machine->failed ||
        !machine->context->read(machine->context->memory, address, &word)) {
        machine->failed = true;
        return;
    }
    push(machine, bytes == sizeof word ? word : word & ((UINT64_C(1) << (8 * bytes)) - 1));
}

/* Branches go to an operation by its offset in bytes. */
static void jump(struct machine *machine, uint64_t offset)
{
    size_t to = 0;
    while (to < machine->count && machine->operations[to].offset != offset)
        to++;
    machine->failed |= to == machine->count;
    machine->at = to;
}

static uint64_t computed(struct machine *machine, unsigned atom, uint64_t a, uint64_t b)
{
    int64_t p = (int64_t)a, q = (int64_t)b;
    switch (atom) {
    case DW_OP_and:
        return a & b;
    case DW_OP_or:
        return a | b;
    case DW_OP_xor:
        return a ^ b;
    case DW_OP_plus:
        return a + b;
    case DW_OP_minus:
        return a - b;
    case DW_OP_mul:
        return a * b;
    case DW_OP_shl:
        return b < 64 ? a << b : 0;
    case DW_OP_shr:
        return b < 64 ? a >> b : 0;
    case DW_OP_shra:
        return (uint64_t)(p >> (b < 63 ? b : 63));
    case DW_OP_eq:
        return a == b;
    case DW_OP_ne:
        return a != b;
    case DW_OP_ge:
        return p >= q;
    case DW_OP_gt:
        return p > q;
    case DW_OP_le:
        return p <= q;
    case DW_OP_lt:
        return p < q;
    default:
        machine->failed = true;
        return 0;
    }
}

static void compute(struct machine *machine, unsigned atom)
{
    uint64_t b = pop(machine), a = pop(machine);
    push(machine, computed(machine, atom, a, b));
}

static void swap(struct machine *machine)
{
    uint64_t b = pop(machine), a = pop(machine);
    push(machine, b);
    push(machine, a);
}

static void step_stack(struct machine *machine, const Dwarf_Op *operation)
{
    switch (operation->atom) {
    case DW_OP_dup:
        push_copy(machine, 0);
        break;
    case DW_OP_over:
        push_copy(machine, 1);
        break;
    case DW_OP_pick:
        push_copy(machine, operation->number);
        break;
    case DW_OP_drop:
        pop(machine);
        break;
    case DW_OP_swap:
        swap(machine);
        break;
    case DW_OP_neg:
        push(machine, 0 - pop(machine));
        break;
    case DW_OP_not:
        push(machine, ~pop(machine));
        break;
    case DW_OP_plus_uconst:
        push(machine, pop(machine) + operation->number);
        break;
    default:
        compute(machine, operation->atom);
    }
}

static void step_control(struct machine *machine, const Dwarf_Op *operation)
{
    /* The distance, a signed half word, counts from behind the operation, which has three bytes. */
    uint64_t target = operation->offset + 3 + (uint64_t)(int16_t)operation->number;
    switch (operation->atom) {
    case DW_OP_nop:
        break;
    case DW_OP_skip:
        jump(machine, target);
        break;
    case DW_OP_bra:
        if (pop(machine))
            jump(machine, target);
        break;
    case DW_OP_stack_value:
        machine->is_value = true;
        break;
    default:
        step_stack(machine, operation);
    }
}

static void step(struct machine *machine, const Dwarf_Op *operation)
{
    unsigned atom = operation->atom;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
        push(machine, atom - DW_OP_lit0);
    else if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
        push_register(machine, atom - DW_OP_breg0, operation->number);
    else if (atom == DW_OP_bregx)
        push_register(machine, operation->number, operation->number2);
    else if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
        push_register(machine, atom - DW_OP_reg0, 0), machine->is_value = true;
    else if (atom == DW_OP_regx)
        push_register(machine, operation->number, 0), machine->is_value = true;
    else if (atom >= DW_OP_const1u && atom <= DW_OP_consts)
        push(machine, operation->number);
    else if (atom == DW_OP_call_frame_cfa)
        push(machine, machine->context->cfa);
    else if (atom == DW_OP_deref)
        push_read(machine, sizeof(uint64_t));
    else if (atom == DW_OP_deref_size)
        push_read(machine, operation->number);
    else
        step_control(machine, operation);
}

bool unwind_expression(const struct unwind_context *context, const Dwarf_Op *operations,
                       size_t count, bool located, uint64_t *value)
{
    struct machine machine = {.context = context, .operations = operations, .count = count};
    unsigned steps = 0;
    while (machine.at < count && !machine.failed && steps++ < MOST_STEPS)
        step(&machine, &operations[machine.at++]);
    *value = pop(&machine);
    if (machine.failed || machine.at < count)
        return false;
    return !located || machine.is_value || context->read(context->memory, *value, value);
}
