/* unwind_expression.h: known answers, and expressions that end nowhere. */
#include <dwarf.h>
#include <string.h>

#include "check.h"
#include "sampler/unwind_expression.h"

static const uint64_t words[] = {0x1111222233334444, 0xffffffffffffff80};

/* Two words lie at 0x1000. */
static bool read_words(void *memory, uint64_t address, uint64_t *word)
{
    (void)memory;
    uint64_t at = address - 0x1000;
    if (at > sizeof words - sizeof *word)
        return false;
    memcpy(word, (const char *)words + at, sizeof *word);
    return true;
}

static struct unwind_registers registers;
static struct unwind_context context = {.registers = &registers, .cfa = 0x1010, .read = read_words};

#define RUN(located, value, ...)                                                                   \
    unwind_expression(&context, (const Dwarf_Op[]){__VA_ARGS__},                                   \
                      sizeof((const Dwarf_Op[]){__VA_ARGS__}) / sizeof(Dwarf_Op), located, value)
#define OP(...)                                                                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* The linker's tables of jumps: 8 bytes deeper from the eleventh byte of an entry on. */
static uint64_t stub_cfa(uint64_t pc)
{
    uint64_t value = 0;
    unwind_set(&registers, UNWIND_STACK, 0x2000);
    unwind_set(&registers, UNWIND_RETURN, pc);
    CHECK(RUN(false, &value, OP(.atom = DW_OP_breg0 + UNWIND_STACK, .number = 8),
              OP(.atom = DW_OP_breg0 + UNWIND_RETURN), OP(.atom = DW_OP_lit15),
              OP(.atom = DW_OP_and), OP(.atom = DW_OP_lit11), OP(.atom = DW_OP_ge),
              OP(.atom = DW_OP_lit3), OP(.atom = DW_OP_shl), OP(.atom = DW_OP_plus)));
    return value;
}

static void values(void)
{
    uint64_t value = 0;
    CHECK(stub_cfa(0x401020) == 0x2008 && stub_cfa(0x40102a) == 0x2008);
    CHECK(stub_cfa(0x40102b) == 0x2010 && stub_cfa(0x40102f) == 0x2010);
    CHECK(RUN(true, &value, OP(.atom = DW_OP_call_frame_cfa),
              OP(.atom = DW_OP_plus_uconst, .number = (Dwarf_Word)-16)));
    CHECK(value == words[0]);
    CHECK(RUN(true, &value, OP(.atom = DW_OP_call_frame_cfa), OP(.atom = DW_OP_stack_value)));
    CHECK(value == 0x1010);
    CHECK(RUN(true, &value, OP(.atom = DW_OP_regx, .number = UNWIND_STACK)) && value == 0x2000);
    CHECK(RUN(false, &value, OP(.atom = DW_OP_const2u, .number = 0x1008), OP(.atom = DW_OP_deref)));
    CHECK(value == words[1]);
    CHECK(RUN(false, &value, OP(.atom = DW_OP_const2u, .number = 0x1000),
              OP(.atom = DW_OP_deref_size, .number = 2)) &&
          value == 0x4444);
    CHECK(RUN(false, &value, OP(.atom = DW_OP_lit7), OP(.atom = DW_OP_lit2), OP(.atom = DW_OP_swap),
              OP(.atom = DW_OP_minus)) &&
          value == (uint64_t)-5);
    CHECK(RUN(false, &value, OP(.atom = DW_OP_const1s, .number = (Dwarf_Word)-8),
              OP(.atom = DW_OP_lit1), OP(.atom = DW_OP_shra)) &&
          value == (uint64_t)-4);
}

/* Three bytes have a branch, one the others. */
static void branches(void)
{
    uint64_t value = 0;
    CHECK(RUN(false, &value, OP(.atom = DW_OP_lit5, .offset = 0),
              OP(.atom = DW_OP_lit1, .offset = 1), OP(.atom = DW_OP_bra, .number = 1, .offset = 2),
              OP(.atom = DW_OP_neg, .offset = 5), OP(.atom = DW_OP_nop, .offset = 6)) &&
          value == 5);
    CHECK(!RUN(false, &value, OP(.atom = DW_OP_skip, .number = (uint16_t)-3, .offset = 0)));
    CHECK(!RUN(false, &value, OP(.atom = DW_OP_lit1), OP(.atom = DW_OP_skip, .number = 100)));
}

static void refused(void)
{
    uint64_t value = 0;
    registers.known &= ~(UINT64_C(1) << UNWIND_FRAME);
    CHECK(!RUN(false, &value, OP(.atom = DW_OP_breg0 + UNWIND_FRAME)));
    CHECK(!RUN(false, &value, OP(.atom = DW_OP_bregx, .number = 1000)));
    CHECK(!RUN(false, &value, OP(.atom = DW_OP_plus)));
    CHECK(!RUN(false, &value, OP(.atom = DW_OP_drop)));
    CHECK(!RUN(true, &value, OP(.atom = DW_OP_lit1)));
    CHECK(!RUN(false, &value, OP(.atom = DW_OP_lit1), OP(.atom = DW_OP_pick, .number = 1)));
    CHECK(!RUN(false, &value, OP(.atom = DW_OP_push_object_address)));
    CHECK(!unwind_expression(&context, NULL, 0, true, &value));
}

int main(void)
{
    values();
    branches();
    refused();
    return CHECK_DONE();
}
