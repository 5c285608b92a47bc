#include <cctype>
#include <cstdio>
#include <cstring>

static bool is_even(int n)
{VPROF_FUNCTION(1)
    return n % 2 == 0;
}

static bool starts(const char *text, const char *head)
{VPROF_FUNCTION(2)
    return __extension__({VPROF_FUNCTION(4) std::strncmp(text, head, VPROF_RESTART(4, __extension__({VPROF_FUNCTION(5) std::strlen(head);})));}) == 0 && __extension__({VPROF_FUNCTION(6) std::isalpha(*text);});
}

int main()
{VPROF_FUNCTION(3)
    bool even = is_even(2), right = starts("hello", "he");
    __extension__({VPROF_FUNCTION(9) std::printf("%d %d\n", even, right);});
    return 0;
}
