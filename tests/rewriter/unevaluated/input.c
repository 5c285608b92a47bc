#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[sizeof(abs(1)) + 4] = "abc";
    __typeof__(strlen(text)) length = strlen(text);
    _Static_assert(sizeof(strlen("x")) > 1, "size");
    int constant = __builtin_constant_p(abs(1));
    size_t plain = sizeof abs(2);
    switch (strlen(text)) {
    case sizeof("ab"):
        printf("%zu %d\n", length, constant >= 0);
    }
    return plain != sizeof(int) || (_Alignof(__typeof__(abs(1))) != 4);
}
