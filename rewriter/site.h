/* site.h - the text that follows the preamble in a program that carries the probes of all rounds.
 *
 * There a probe is two places in the code that the runtime changes, sites:
 *
 *     off   a9 <d>   test $d, %eax        on   e9 <d>   jmp stub        one byte tells them apart
 *     ...                                 stub: red zone, push <probe and kind>, call, jump back
 *
 * A site has no operands but the compiler's own flags, which each asm statement may change: no
 * frame, no branch, no call. It is a test of nothing until its byte is changed, which needs no stop
 * of other threads: they run the one or the other. Stubs lie behind all functions of the section, so
 * that they are dropped with it; so does each site's place in the table of sites, which a note, type
 * 4, points at. Elsewhere than on x86-64 the probes are those of probe.h.
 *
 * An instruction is written as bytes where the two dialects of x86 would write it in two ways.
 */
#if !defined(VPROF_SITES_1) && defined(__x86_64__) && defined(__LP64__) &&                         \
    (defined(__clang__) ? __clang_major__ >= 11 : __GNUC__ >= 9)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-macros"
#define VPROF_SITES_1
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
extern "C" {
#endif
/* Null until a runtime attaches. */
extern void (*vprof_site_hook_1)(void) __attribute__((visibility("hidden")));
VPROF_TABLE_1 void (*vprof_site_hook_1)(void) = 0;
/* Stubs call this, which is one for each linked object: if (hook) goto *hook; else undo the stub's
 * push and its step over the red zone. The table's entry here is no site's: there always is a table. */
__asm__(".ifndef vprof_site_1\n\t"
        ".pushsection .text.vprof_site_1,\"axG\",@progbits,vprof_site_1,comdat\n\t"
        ".weak vprof_site_1\n\t.hidden vprof_site_1\n\t.type vprof_site_1,@function\n"
        "vprof_site_1:\n\t"
        ".byte 0x48,0x83,0x3d\n\t.long vprof_site_hook_1-.-5\n\t.byte 0,0x74,6,0xff,0x25\n\t"
        ".long vprof_site_hook_1-.-4\n\t.byte 0xc2,136,0\n\t"
        ".pushsection vprof_sites_1,\"ao?\",@progbits,vprof_site_1\n\t"
        ".balign 4\n\t.long 0,0\n\t.popsection\n\t.popsection\n\t.endif");
__asm__(".hidden __start_vprof_sites_1\n\t.hidden __stop_vprof_sites_1\n\t"
        ".pushsection .note.vprof,\"a\",%note\n\t.balign 4\n\t.long 6,24,4\n\t.asciz \"vprof\"\n\t"
        ".balign 4\n\t.quad vprof_site_hook_1-.\n\t.quad __start_vprof_sites_1-.\n\t"
        ".quad __stop_vprof_sites_1-.\n\t.popsection");
#define VPROF_SITE_ENTER_1 0u
#define VPROF_SITE_LEAVE_1 1u
#define VPROF_SITE_TARGET_1 2u /* the callee's address is in %rax */
#define VPROF_SITE_AGAIN_1 3u  /* the call begins now */
#ifdef __clang__
#define VPROF_ASM_1 __asm__ __volatile__
#else
#define VPROF_ASM_1 __asm__ __inline__ __volatile__ /* no longer than one instruction, to inliners */
#endif
#define VPROF_SITE_TEXT_1                                                                          \
    "771:.Lvprof%=:\t.byte 0xa9\n\t.long 773f-772f\n772:\n\t"                                      \
    ".pushsection vprof_sites_1,\"ao?\",@progbits,.Lvprof%=\n\t.long 771b-.,%c0\n\t.popsection\n\t" \
    ".subsection 1\n773:\t.byte 0x48,0x8d,0x64,0x24,0x80,0x68\n\t.long %c0\n\t"                    \
    ".byte 0xe8\n\t.long vprof_site_1-.-4\n\t.byte 0xe9\n\t.long 772b-.-4\n\t.previous"
#define VPROF_SITE_1(id, kind)                                                                     \
    VPROF_ASM_1(VPROF_SITE_TEXT_1 : : "i"((id) * 4u + VPROF_SITE_##kind##_1))
/* Without optimization the compiler does not know at the exit which probe it is of: then there is no
 * site, but the stub's text behind a test of the probe's switch. */
VPROF_INLINE_1 void vprof_site_leave_1(const unsigned *id)
{
    if (__builtin_constant_p(*id))
        VPROF_SITE_1(*id, LEAVE);
    else if (__atomic_load_n(&vprof_switches_1[*id], __ATOMIC_RELAXED))
        __asm__ __volatile__(".byte 0x48,0x8d,0x64,0x24,0x80\n\tpush{q}\t%q0\n\t"
                             ".byte 0xe8\n\t.long vprof_site_1-.-4"
                             :
                             : "r"(*id * 4ul + VPROF_SITE_LEAVE_1));
}
#ifdef __cplusplus
}
#endif
#define VPROF_SITES_OF_1(name, id)                                                                 \
    __attribute__((cleanup(vprof_site_leave_1), unused)) const unsigned name =                     \
        (__extension__({                                                                           \
            VPROF_SITE_1(id, ENTER);                                                               \
            id;                                                                                    \
        }));
#undef VPROF_FUNCTION
#define VPROF_FUNCTION(n) VPROF_SITES_OF_1(vprof_f_##n, n##u)
#undef VPROF_FUNCTION_MADE
#define VPROF_FUNCTION_MADE(k) VPROF_SITES_OF_1(vprof_f_made, (VPROF_MADE_1(__LINE__, k)))
#undef VPROF_TARGET
#define VPROF_TARGET(n, fn)                                                                        \
    (__extension__({                                                                               \
        VPROF_LET_1(vprof_t_##n, &*(fn));                                                          \
        VPROF_ASM_1(VPROF_SITE_TEXT_1                                                              \
                    :                                                                              \
                    : "i"(n##u * 4u + VPROF_SITE_TARGET_1), "a"(vprof_t_##n));                     \
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
