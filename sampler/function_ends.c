#include "sampler/function_ends.h"

#include <capstone/capstone.h>
#include <string.h>

#include "sampler/frame_range.h"

/* A function and what it goes on in. */
enum { MOST_PARTS = 16, MOST_BYTES = 1 << 20 };
/* Where it begins, or behind the endbr64 there. */
enum { ENTRY_BYTES = 4 };

struct search {
    const struct point_object *object;
    struct function_ends *ends;
    struct object_function parts[MOST_PARTS];
    uint32_t part_count;
    enum function_ends_which which;
    csh capstone;
};

static bool add_end(struct function_ends *ends, uint64_t address)
{
    for (uint32_t i = 0; i < ends->count; i++)
        if (ends->addresses[i] == address)
            return true;
    if (ends->count == FUNCTION_ENDS_MOST)
        return false;
    ends->addresses[ends->count++] = address;
    return true;
}

static bool lies_in(const struct object_function *part, uint64_t address)
{
    return address >= part->address && address - part->address < part->size;
}

/* A function that begins at the address, or a part that was split off (".cold"), which is entered in its
 * midst. Where only own ends will do, what has no name may be another function. */
static bool part_at(const struct search *search, uint64_t address, struct object_function *part)
{
    const struct object_function *at = point_object_function_at(search->object, address);
    if (at && at->size && (search->which != ENDS_OWN || strstr(at->symbol, ".cold"))) {
        *part = *at;
        return true;
    }
    for (size_t i = 0; i < search->object->count; i++) {
        const struct object_function *function = &search->object->functions[i];
        if (strstr(function->symbol, ".cold") && lies_in(function, address)) {
            *part = *function;
            return true;
        }
    }
    return search->which != ENDS_OWN && frame_range_of(search->object, address, part);
}

/* The function goes on at the address. */
static bool go_on(struct search *search, uint64_t address)
{
    for (uint32_t i = 0; i < search->part_count; i++)
        if (lies_in(&search->parts[i], address))
            return true;
    return search->part_count < MOST_PARTS &&
           part_at(search, address, &search->parts[search->part_count]) && ++search->part_count;
}

/* The first one of a table of addresses at that place lies in the function: so it is of a switch, and
 * not of functions. */
static bool leads_back(const struct search *search, const struct object_function *part,
                       int64_t table)
{
    uint64_t address;
    const unsigned char *bytes =
        point_object_bytes(search->object, (uint64_t)table, sizeof address);
    if (!bytes)
        return false;
    memcpy(&address, bytes, sizeof address);
    return lies_in(part, address);
}

/* A table's entry is added to the table's address, as compilers do for a switch (movslq, add, and not far
 * behind it jmp); or taken from a table at a fixed address. */
static bool is_of_switch(const struct search *search, const struct object_function *part,
                         const cs_insn *code, size_t at)
{
    enum { FAR = 8 };
    const cs_x86_op *to = &code[at].detail->x86.operands[0];
    if (to->type == X86_OP_MEM)
        return to->mem.base == X86_REG_INVALID && to->mem.scale == 8 &&
               leads_back(search, part, to->mem.disp);
    for (size_t i = 1; i <= FAR && i <= at; i++) {
        const cs_x86 *x86 = &code[at - i].detail->x86;
        if (x86->op_count && x86->operands[0].type == X86_OP_REG && x86->operands[0].reg == to->reg)
            return code[at - i].id == X86_INS_ADD && x86->op_count == 2;
    }
    return false;
}

/* At a jump that leaves the function the stack is as at its entry. One to where a register says may be of
 * a switch that was not recognized, and one with a condition need not be taken. */
static bool may_be_end(const struct search *search, const cs_insn *jump)
{
    return search->which == ENDS_OR_JUMPS && jump->id == X86_INS_JMP &&
           jump->detail->x86.operands[0].type != X86_OP_REG;
}

static bool take_jump(struct search *search, const struct object_function *part,
                      const cs_insn *code, size_t at)
{
    const cs_x86 *x86 = &code[at].detail->x86;
    if (x86->op_count != 1)
        return false;
    uint64_t to = (uint64_t)x86->operands[0].imm;
    if (x86->operands[0].type == X86_OP_IMM && to - search->parts[0].address <= ENTRY_BYTES)
        search->ends->begins_again = true;
    bool known = x86->operands[0].type != X86_OP_IMM ? is_of_switch(search, part, code, at)
                                                     : lies_in(part, to) || go_on(search, to);
    return known || (may_be_end(search, &code[at]) && add_end(search->ends, code[at].address));
}

static bool has_group(const struct search *search, const cs_insn *instruction, unsigned group)
{
    return cs_insn_group(search->capstone, instruction, group);
}

static bool take_part(struct search *search, const struct object_function *part)
{
    const unsigned char *bytes = part->size && part->size <= MOST_BYTES
                                     ? point_object_bytes(search->object, part->address, part->size)
                                     : NULL;
    cs_insn *code = NULL;
    size_t count =
        bytes ? cs_disasm(search->capstone, bytes, part->size, part->address, 0, &code) : 0;
    bool ok = count && code[count - 1].address + code[count - 1].size == part->address + part->size;
    for (size_t i = 0; ok && i < count; i++) {
        if (has_group(search, &code[i], CS_GRP_RET))
            ok = add_end(search->ends, code[i].address);
        else if (has_group(search, &code[i], CS_GRP_JUMP))
            ok = take_jump(search, part, code, i);
    }
    if (code)
        cs_free(code, count);
    return ok;
}

bool function_ends_find(struct function_ends *ends, const struct point_object *object,
                        const struct object_function *function, enum function_ends_which which)
{
    struct search search = {
        .object = object, .ends = ends, .parts = {*function}, .part_count = 1, .which = which};
    *ends = (struct function_ends){.count = 0};
    if (object->machine != EM_X86_64 ||
        cs_open(CS_ARCH_X86, CS_MODE_64, &search.capstone) != CS_ERR_OK)
        return false;
    cs_option(search.capstone, CS_OPT_DETAIL, CS_OPT_ON);
    bool ok = true;
    for (uint32_t i = 0; ok && i < search.part_count; i++)
        ok = take_part(&search,
                       &(struct object_function){search.parts[i].symbol, search.parts[i].address,
                                                 search.parts[i].size});
    cs_close(&search.capstone);
    return ok && ends->count;
}
