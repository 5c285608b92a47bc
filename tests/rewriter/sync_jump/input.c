#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static void fail(int code)
{
    longjmp(back, code);
}

int main(void)
{
    int code = setjmp(back);
    if (code == 0)
        fail(3);
    printf("%d %d\n", code, dlopen("/nowhere/lib.so", RTLD_NOW) != NULL);
    return 0;
}
