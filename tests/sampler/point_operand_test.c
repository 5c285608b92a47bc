/* point_operand.h: operands of static probes, read from their text and from a thread. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "sampler/point_operand.h"

/* ax bx cx dx si di bp sp ip, r8 to r15 */
static uint64_t registers[17];
static uint64_t stack[8] = {0x1111111111111111, 0x2222222222222222, 0xfffffffffffffff7, 44, 55, 66};
static const struct unwinder_thread thread = {
    .registers = registers, .stack = (const char *)stack, .stack_bytes = sizeof stack};

static bool reads(const char *text)
{
    struct point_operand operand;
    return point_operand_read(&operand, text, strlen(text));
}

/* UINT64_MAX - 1: it is not known. */
static uint64_t value(const char *text)
{
    struct point_operand operand;
    uint64_t value;
    CHECK(point_operand_read(&operand, text, strlen(text)));
    return point_operand_value(&operand, &thread, &value) ? value : UINT64_MAX - 1;
}

static void fill_registers(void)
{
    for (uint64_t i = 0; i < 17; i++)
        registers[i] = 0x8182838485868700 + i * 0x0101;
    registers[7] = 0x7ffe1000; /* sp */
    registers[6] = 0x7ffe1020; /* bp */
    registers[2] = 2;          /* cx */
}

static void registers_by_size(void)
{
    CHECK(value("8@%rax") == 0x8182838485868700);
    CHECK(value("4@%eax") == 0x85868700);
    CHECK(value("-4@%eax") == 0xffffffff85868700);
    CHECK(value("2@%bx") == 0x8801 && value("-2@%bx") == 0xffffffffffff8801);
    CHECK(value("1@%dh") == 0x8a && value("1@%dl") == 0x03);
    CHECK(value("-1@%r15b") == 0x10 && value("8@%r15") == 0x8182838485869710);
    CHECK(value("4@%r9d") == 0x8586910a);       /* the tenth of a sample */
    CHECK(value("%rax") == 0x8182838485868700); /* as older compilers have it */
}

static void constants(void)
{
    CHECK(value("-4@$5") == 5 && value("8@$-1") == UINT64_MAX && value("1@$255") == 255);
    CHECK(value("-1@$255") == UINT64_MAX && value("4@$0x10") == 16);
}

static void memory(void)
{
    CHECK(value("8@(%rsp)") == 0x1111111111111111);
    CHECK(value("8@8(%rsp)") == 0x2222222222222222);
    CHECK(value("-4@16(%rsp)") == (uint64_t)-9 && value("4@16(%rsp)") == 0xfffffff7);
    CHECK(value("8@-8(%rbp)") == 44 && value("8@(%rsp,%rcx,8)") == 0xfffffffffffffff7);
    CHECK(value("8@8(%rsp,%rcx,8)") == 44 && value("8@8(%rsp,%rcx)") != 44);
    CHECK(value("2@9(%rsp)") == 0x2222);
    /* Only what came with the hit. */
    CHECK(value("8@64(%rsp)") == UINT64_MAX - 1 && value("8@-8(%rsp)") == UINT64_MAX - 1);
    CHECK(value("8@57(%rsp)") == UINT64_MAX - 1 && value("8@56(%rsp)") == 0);
    CHECK(value("8@(%rax)") == UINT64_MAX - 1);
}

static void nonsense(void)
{
    static const char *const texts[] = {
        "",         "8@",         "3@%rax",          "8@%xmm0",  "8@foo(%rip)",
        "8@%raxx",  "8@(%rsp",    "8@(%rsp,%rcx,3)", "8@(%eax)", "8@$",
        "8@$5x",    "8@8(%rsp)x", "8@(,%rcx,8)",     "8@%",      "99@%rax",
        "8@(%rsp,)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(!reads(texts[i]));
    /* Every beginning of one is read or refused, and nothing behind it is looked at. */
    const char *whole = "-8@-24(%rbp,%r12,4)";
    for (size_t length = 0; length <= strlen(whole); length++) {
        struct point_operand operand;
        char *copy = strndup(whole, length);
        CHECK(point_operand_read(&operand, copy, length) == (length == strlen(whole)));
        free(copy);
    }
}

static void functions(void)
{
    static const uint8_t order[] = {5, 4, 3, 2, 9, 10}; /* di si dx cx r8 r9 */
    for (uint8_t i = 1; i <= 6; i++) {
        struct point_operand operand = point_operand_argument(i);
        uint64_t is;
        CHECK(point_operand_value(&operand, &thread, &is) && is == registers[order[i - 1]]);
    }
    struct point_operand returned = point_operand_returned();
    uint64_t is;
    CHECK(point_operand_value(&returned, &thread, &is) && is == registers[0]);
    CHECK(point_operand_stack(&thread) == 0x7ffe1000);
}

int main(void)
{
#if defined(__x86_64__)
    fill_registers();
    registers_by_size();
    constants();
    memory();
    nonsense();
    functions();
#endif
    return CHECK_DONE();
}
