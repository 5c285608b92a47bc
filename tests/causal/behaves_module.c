/* behaves_module.c - a library with a function of its own for behaves.c, which loads it while experiments run. */
void module_call(void);

static __attribute__((noinline)) unsigned f(unsigned x)
{
    for (int i = 0; i < 20000; i++)
        __asm__ volatile("" : "+r"(x));
    return x;
}

void module_call(void)
{
    f(1);
}
