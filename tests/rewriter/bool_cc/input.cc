#include <cctype>
#include <cstdio>
#include <cstring>

static bool is_even(int n)
{
    return n % 2 == 0;
}

static bool starts(const char *text, const char *head)
{
    return std::strncmp(text, head, std::strlen(head)) == 0 && std::isalpha(*text);
}

int main()
{
    bool even = is_even(2), right = starts("hello", "he");
    std::printf("%d %d\n", even, right);
    return 0;
}
