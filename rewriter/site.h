/* site.h - the text that follows the preamble: probes that the runtime switches by changing the code.
 *
 * A probe is two places in the code there, sites:
 *
 *     41 bb <word>   mov $word, %r11d            word: probe << 2 | kind
 *     off   a9 <d>   test $d, %eax        on   e8 <d>   call the runtime        one byte tells
 *
 * A site has no operands but registers that are seldom in use where it stands: no frame, no branch.
 * It is a test of nothing until its byte is changed, which needs no stop of other threads: they run
 * the one or the other. Each site's place is in the table of sites, which a note, type 5, points at;
 * it is dropped with its function. Elsewhere than on x86-64, with older compilers, and where
 * VPROF_NO_SITES is defined the probes are those of probe.h.
 *
 * A call spoils what a function without calls keeps below the stack's end, in its red zone. GCC
 * keeps nothing there where a function has a call: from a site, as GCC is told, one may be reached,
 * and never is. clang makes worse code of that; there a site that is on jumps to a stub, which steps
 * over the red zone and calls:
 *
 *     off   a9 <d>   test $d, %eax        on   e9 <d>   jmp stub
 *
 * Stubs lie behind all functions of the section, so that they are dropped with it.
 *
 * An instruction is written as bytes where the two dialects of x86 would write it in two ways.
 */
#if !defined(VPROF_SITES_1) && !defined(VPROF_NO_SITES) && defined(__x86_64__) &&                  \
    defined(__LP64__) && (defined(__clang__) ? __clang_major__ >= 11 : __GNUC__ >= 10)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-macros"
#define VPROF_SITES_1
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
extern "C" {
#endif
/* Where the runtime is called, by kinds of sites; until one attaches, nothing is done there. */
struct vprof_site_hooks_2 {
    void (*enter)(void);
    void (*leave)(void);
    void (*other)(void);
    unsigned long attached;
};
extern void vprof_site_idle_2(void) __attribute__((visibility("hidden")));
extern struct vprof_site_hooks_2 vprof_site_hooks_2 __attribute__((visibility("hidden")));
VPROF_TABLE_1 struct vprof_site_hooks_2 vprof_site_hooks_2 = {vprof_site_idle_2, vprof_site_idle_2,
                                                              vprof_site_idle_2, 0};
/* Sites call one of the first three, stubs `far`; each is one for each linked object. Where the
 * program's stack ended goes into %r10, then goto *hook. `idle` returns, `never` is not called. The
 * table's entry here is no site's: there always is a table. */
__asm__(".irp name,enter,leave,other,far,idle,never\n\t"
        ".weak vprof_site_\\name\\()_2\n\t.hidden vprof_site_\\name\\()_2\n\t.endr");
__asm__(".ifndef vprof_site_enter_2\n\t"
        ".pushsection .text.vprof_site_2,\"axG\",@progbits,vprof_site_2,comdat\n"
        "vprof_site_enter_2:\n\t.byte 0x4c,0x8d,0x54,0x24,8,0xff,0x25\n\t"
        ".long vprof_site_hooks_2-.-4\n"
        "vprof_site_leave_2:\n\t.byte 0x4c,0x8d,0x54,0x24,8,0xff,0x25\n\t"
        ".long vprof_site_hooks_2+8-.-4\n"
        "vprof_site_other_2:\n\t.byte 0x4c,0x8d,0x54,0x24,8,0xff,0x25\n\t"
        ".long vprof_site_hooks_2+16-.-4\n"
        "vprof_site_never_2:\t.byte 0x0f,0x0b\n\t.popsection\n\t.endif");
__asm__(".ifndef vprof_site_far_2\n\t"
        ".pushsection .text.vprof_site_far_2,\"axG\",@progbits,vprof_site_far_2,comdat\n"
        "vprof_site_far_2:\n\t.byte 0x4c,0x8d,0x94,0x24,136,0,0,0\n\t"
        ".byte 0x41,0xf6,0xc3,3,0x75,6,0xff,0x25\n\t.long vprof_site_hooks_2-.-4\n\t"
        ".byte 0x41,0xf6,0xc3,2,0x75,6,0xff,0x25\n\t.long vprof_site_hooks_2+8-.-4\n\t"
        ".byte 0xff,0x25\n\t.long vprof_site_hooks_2+16-.-4\n"
        "vprof_site_idle_2:\t.byte 0xc3\n\t"
        ".pushsection vprof_sites_2,\"ao?\",@progbits,vprof_site_far_2\n\t"
        ".balign 4\n\t.long 0,0\n\t.popsection\n\t.popsection\n\t.endif");
__asm__(".hidden __start_vprof_sites_2\n\t.hidden __stop_vprof_sites_2\n\t"
        ".pushsection .note.vprof,\"a\",%note\n\t.balign 4\n\t.long 6,24,5\n\t.asciz \"vprof\"\n\t"
        ".balign 4\n\t.quad vprof_site_hooks_2-.\n\t.quad __start_vprof_sites_2-.\n\t"
        ".quad __stop_vprof_sites_2-.\n\t.popsection");
#define VPROF_SITE_ENTER_1 0u
#define VPROF_SITE_LEAVE_1 1u
#define VPROF_SITE_TARGET_1 2u /* the callee's address is in %rax */
#define VPROF_SITE_AGAIN_1 3u  /* the call begins now */
#define VPROF_SITE_CALLEE_ENTER_1 "vprof_site_enter_2"
#define VPROF_SITE_CALLEE_LEAVE_1 "vprof_site_leave_2"
#define VPROF_SITE_CALLEE_TARGET_1 "vprof_site_other_2"
#define VPROF_SITE_CALLEE_AGAIN_1 "vprof_site_other_2"
/* What the runtime may change: at an entry arguments are in use, at an exit results. */
#define VPROF_SITE_SPOILS_ENTER_1 "rax", "r10", "r11", "cc"
#define VPROF_SITE_SPOILS_LEAVE_1 "rcx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc"
#define VPROF_SITE_SPOILS_TARGET_1 "r10", "r11", "cc"
#define VPROF_SITE_SPOILS_AGAIN_1 "r10", "r11", "cc"
#define VPROF_SITE_ROW_1(word)                                                                     \
    ".pushsection vprof_sites_2,\"ao?\",@progbits,.Lvprof%=\n\t.long 771b-.," word                 \
    "\n\t.popsection\n\t"
#ifdef __clang__
/* Bit 31: there is a stub. */
#define VPROF_SITE_TEXT_1(kind)                                                                    \
    "771:.Lvprof%=:\t.byte 0xa9\n\t.long 773f-772f\n772:\n\t" VPROF_SITE_ROW_1(                    \
        "%c0+0x80000000") ".subsection 1\n773:\t.byte 0x48,0x8d,0x64,0x24,0x80,0x41,0xbb\n\t"      \
                          ".long %c0\n\t.byte 0xe8\n\t.long vprof_site_far_2-.-4\n\t"              \
                          ".byte 0x48,0x83,0xec,0x80,0xe9\n\t.long 772b-.-4\n\t.previous"
#define VPROF_SITE_CALL_1(kind)                                                                    \
    ".byte 0x48,0x8d,0x64,0x24,0x80,0xe8\n\t.long vprof_site_far_2-.-4\n\t"                        \
    ".byte 0x48,0x83,0xec,0x80"
#define VPROF_SITE_ASM_1(text, input, kind)                                                        \
    __asm__ __volatile__(text(kind) : : input : VPROF_SITE_SPOILS_##kind##_1)
#else
#define VPROF_SITE_TEXT_1(kind)                                                                    \
    ".byte 0x41,0xbb\n\t.long %c0\n771:.Lvprof%=:\t.byte 0xa9\n\t"                                 \
    ".long " VPROF_SITE_CALLEE_##kind##_1 "-.-4\n\t" VPROF_SITE_ROW_1("%c0")
#define VPROF_SITE_CALL_1(kind) ".byte 0xe8\n\t.long " VPROF_SITE_CALLEE_##kind##_1 "-.-4"
extern void vprof_site_never_2(void)
    __attribute__((noreturn, cold, nothrow, visibility("hidden")));
/* `inline`: no longer than one instruction, to inliners. */
#define VPROF_SITE_ASM_1(text, input, kind)                                                        \
    (__extension__({                                                                               \
        __label__ vprof_never_1;                                                                   \
        __asm__ __inline__ goto(text(kind)                                                         \
                                :                                                                  \
                                : input                                                            \
                                : VPROF_SITE_SPOILS_##kind##_1                                     \
                                : vprof_never_1);                                                  \
        if (0) {                                                                                   \
        vprof_never_1:                                                                             \
            vprof_site_never_2();                                                                  \
        }                                                                                          \
    }))
#endif
#define VPROF_SITE_WORD_1(id, kind) "i"((id) * 4u + VPROF_SITE_##kind##_1)
#define VPROF_SITE_1(id, kind)                                                                     \
    VPROF_SITE_ASM_1(VPROF_SITE_TEXT_1, VPROF_SITE_WORD_1(id, kind), kind)
#define VPROF_SITE_MOVED_1(kind) "mov{l}\t{%k0, %%r11d|r11d, %k0}\n\t" VPROF_SITE_CALL_1(kind)
/* Without optimization the compiler does not know at the exit which probe it is of: then there is no
 * site, but a call behind a test of the probe's switch. */
VPROF_INLINE_1 void vprof_site_leave_1(const unsigned *id)
{
    if (__builtin_constant_p(*id))
        VPROF_SITE_1(*id, LEAVE);
    else if (__atomic_load_n(&vprof_switches_1[*id], __ATOMIC_RELAXED))
        VPROF_SITE_ASM_1(VPROF_SITE_MOVED_1, "r"(*id * 4u + VPROF_SITE_LEAVE_1), LEAVE);
}
/* Of one of very many in a function, where compilers take long to find the constants. */
static __attribute__((noinline, no_instrument_function)) void vprof_site_leave_far_1(const unsigned *id)
{
    if (__atomic_load_n(&vprof_switches_1[*id], __ATOMIC_RELAXED))
        VPROF_SITE_ASM_1(VPROF_SITE_MOVED_1, "r"(*id * 4u + VPROF_SITE_LEAVE_1), LEAVE);
}
#ifdef __cplusplus
}
#endif
#define VPROF_SITES_LEFT_1(leave, name, id)                                                        \
    __attribute__((cleanup(leave), unused)) const unsigned name = (__extension__({                 \
        VPROF_SITE_1(id, ENTER);                                                                   \
        id;                                                                                        \
    }));
#define VPROF_SITES_OF_1(name, id) VPROF_SITES_LEFT_1(vprof_site_leave_1, name, id)
#undef VPROF_FUNCTION
#define VPROF_FUNCTION(n) VPROF_SITES_OF_1(vprof_f_##n, n##u)
#undef VPROF_ONE_OF_MANY
#define VPROF_ONE_OF_MANY(n) VPROF_SITES_LEFT_1(vprof_site_leave_far_1, vprof_f_##n, n##u)
#undef VPROF_FUNCTION_MADE
#define VPROF_FUNCTION_MADE(k) VPROF_SITES_OF_1(vprof_f_made, (VPROF_MADE_1(__LINE__, k)))
#if defined VPROF_HELD && __cplusplus >= 201703L
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wc++98-compat"
#endif
extern "C++" {
template <unsigned id> struct vprof_held_2 {
    bool over;
    VPROF_HELD_INLINE_1 vprof_held_2() : over(false)
    {
        VPROF_SITE_1(id, ENTER);
    }
    VPROF_HELD_INLINE_1 ~vprof_held_2()
    {
        if (!over)
            VPROF_SITE_1(id, LEAVE);
    }
    VPROF_HELD_INLINE_1 void vprof_over_1()
    {
        over = true;
        VPROF_SITE_1(id, LEAVE);
    }
    VPROF_HELD_RESULTS_1
};
}
#undef VPROF_HELD
#define VPROF_HELD(n) vprof_held_2<n##u>()
#endif
#undef VPROF_TARGET
#define VPROF_TARGET_WORD_1(n, target) VPROF_SITE_WORD_1(n##u, TARGET), "a"(target)
#define VPROF_TARGET(n, fn)                                                                        \
    (__extension__({                                                                               \
        VPROF_LET_1(vprof_t_##n, &*(fn));                                                          \
        VPROF_SITE_ASM_1(VPROF_SITE_TEXT_1, VPROF_TARGET_WORD_1(n, vprof_t_##n), TARGET);          \
        vprof_t_##n;                                                                               \
    }))
#undef VPROF_RESTART
#define VPROF_RESTART(n, arg)                                                                      \
    (__extension__({                                                                               \
        VPROF_LET_1(vprof_a_##n, arg);                                                             \
        VPROF_SITE_1(n##u, AGAIN);                                                                 \
        vprof_a_##n;                                                                               \
    }))
#pragma GCC diagnostic pop
#endif
