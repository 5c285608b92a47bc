/* C++ before 17: a result that is an object may have to be moved, so such a call is left alone. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

static int total(const std::map<int, int> &all, int key)
{VPROF_FUNCTION(1)
    return vprof_lvalue_1(__extension__({VPROF_FUNCTION(3) __builtin_addressof(all.at(key));})) + __extension__({VPROF_FUNCTION(4) std::abs(-2);});
}

int main()
{VPROF_FUNCTION(2)
    std::map<int, int> all;
    all[3] = 4;
    std::ostringstream out;
    vprof_lvalue_1(__extension__({VPROF_FUNCTION(7) __builtin_addressof(vprof_lvalue_1(__extension__({VPROF_FUNCTION(6) __builtin_addressof(vprof_lvalue_1(__extension__({VPROF_FUNCTION(5) __builtin_addressof(out.write("abc", 3));})).put('d'));})).flush());}));
    int key = 3;
    vprof_lvalue_1(__extension__({VPROF_FUNCTION(8) __builtin_addressof(all.at(key));})) += 1;
    __extension__({VPROF_FUNCTION(9) std::printf("%d %s %d\n", VPROF_RESTART(9, total(all, key)), out.str().c_str(), VPROF_RESTART(9, vprof_lvalue_1(__extension__({VPROF_FUNCTION(13) __builtin_addressof(all.at(key));}))));});
    std::string text = out.str();
    /* Numbers that live for as long as the expression does: the reference is read after the call. */
    const std::size_t least = std::min(__extension__({VPROF_FUNCTION(16) text.size();}), out.str().size());
    if (std::max(__extension__({VPROF_FUNCTION(20) text.size();}) - 4, least) != 4 || (std::min<long>(1, key) ? least : 0) != 4)
        return 1;
    std::size_t value = __extension__({ std::min(__extension__({VPROF_FUNCTION(23) text.size();}) + 1, least + 2); });
    vprof_lvalue_1(__extension__({VPROF_FUNCTION(24) __builtin_addressof(std::min(value, least + 1));}));
    __extension__({VPROF_FUNCTION(26) text.append(out.str()).resize(4);});
    __extension__({VPROF_FUNCTION(28) std::printf("%zu %zu\n", least, value);});
    return __extension__({VPROF_FUNCTION(29) text.compare("abcd");});
}
