/* Calls whose result is a reference or an object; the value, its kind and its life stay the same. */
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace far { /* no body in the tree: the program's other half is the standard library */
using Row = std::vector<std::unique_ptr<int>>;
}

struct Loud {
    std::string name;
    explicit Loud(std::string n) : name(std::move(n)) {VPROF_FUNCTION(1)}
    ~Loud() {VPROF_FUNCTION(2) __extension__({VPROF_FUNCTION(5) std::printf("~%s\n", VPROF_RESTART(5, __extension__({VPROF_FUNCTION(6) name.c_str();})));}); }
};

static std::string label(const std::map<int, std::string> &names, int key)
{VPROF_FUNCTION(3)
    const std::string &found = vprof_lvalue_1(__extension__({VPROF_FUNCTION(7) __builtin_addressof(names.at(key));}));
    auto &&same = vprof_lvalue_1(__extension__({VPROF_FUNCTION(8) __builtin_addressof(names.at(key));}));
    decltype(auto) again = vprof_lvalue_1(__extension__({VPROF_FUNCTION(9) __builtin_addressof(names.at(key));}));
    static_assert(std::is_same<decltype(again), const std::string &>::value, "an lvalue");
    return &found == &same && &same == &again ? __extension__({VPROF_FUNCTION(10) found.substr(1);}) : std::string();
}

int main()
{VPROF_FUNCTION(4)
    std::map<int, std::string> names{{1, "_one"}, {2, "_two"}};
    __extension__({VPROF_FUNCTION(12) VPROF_HELD(11).vprof_place_1(names.at(2)).push_back('!');});
    VPROF_HELD(13).vprof_place_1(names.at(1)) = "_uno";
    int n = 7, m = 9;
    VPROF_HELD(15).vprof_place_1(__extension__({VPROF_FUNCTION(14) std::ref(n);}).get()) += 1;
    int larger = std::max(2, n) + std::max(n, m);
    std::ostringstream out;
    vprof_lvalue_1(__extension__({VPROF_FUNCTION(21) __builtin_addressof(vprof_lvalue_1(__extension__({VPROF_FUNCTION(20) __builtin_addressof(vprof_lvalue_1(__extension__({VPROF_FUNCTION(19) __builtin_addressof(vprof_lvalue_1(__extension__({VPROF_FUNCTION(18) __builtin_addressof(out.put('a'));})).put('b'));})).write("cd", 2));})).flush());}));
    far::Row row;
    __extension__({VPROF_FUNCTION(22) row.push_back(std::make_unique<int>(3));});
    std::unique_ptr<int> taken = __extension__({VPROF_FUNCTION(24) std::exchange(vprof_lvalue_1(__extension__({VPROF_FUNCTION(25) __builtin_addressof(row.at(0));})), nullptr);});
    std::unique_ptr<int> fresh = __extension__({VPROF_FUNCTION(26) std::make_unique<int>(n);});
    vprof_lvalue_1(__extension__({VPROF_FUNCTION(27) __builtin_addressof(row.emplace_back(std::move(fresh)));}));
    std::unique_ptr<int> moved = std::move(vprof_lvalue_1(__extension__({VPROF_FUNCTION(28) __builtin_addressof(row.back());})));
    std::string text = __extension__({VPROF_FUNCTION(29) out.str();}), number = __extension__({VPROF_FUNCTION(30) std::to_string(larger);});
    const std::string &kept = __extension__({VPROF_FUNCTION(31) std::to_string(n);});
    std::shared_ptr<Loud> loud = __extension__({VPROF_FUNCTION(32) std::make_shared<Loud>(__extension__({VPROF_FUNCTION(33) std::to_string(m);}));});
    for (char c : __extension__({VPROF_FUNCTION(34) out.str();}).substr(1))
        __extension__({VPROF_FUNCTION(36) std::putchar(c);});
    std::array<int, 2> pair{{1, 2}};
    pair.at(1) = static_cast<int>(__extension__({VPROF_FUNCTION(38) text.size();}));
    char room[std::array<int, 3>().size()];
    __extension__({VPROF_FUNCTION(40) std::printf("%s %s %s %s %d %d %s %zu\n", VPROF_HELD(42).vprof_value_1(label(names, 1).c_str()), VPROF_HELD(44).vprof_value_1(label(names, 2).c_str()),
                VPROF_RESTART(40, __extension__({VPROF_FUNCTION(45) text.c_str();})), VPROF_RESTART(40, __extension__({VPROF_FUNCTION(46) number.c_str();})), VPROF_RESTART(40, *taken), VPROF_RESTART(40, *moved), VPROF_RESTART(40, __extension__({VPROF_FUNCTION(47) kept.c_str();})), sizeof room);});
    __extension__({VPROF_FUNCTION(48) std::printf("%d %zu %d\n", VPROF_RESTART(48, pair[1]), VPROF_HELD(50).vprof_value_1(__extension__({VPROF_FUNCTION(49) out.str();}).find("cd")), std::make_pair(1, 2).second);});
    try {
        __extension__({VPROF_FUNCTION(53) VPROF_HELD(52).vprof_place_1(names.at(3)).clear();});
    } catch (const std::exception &) {
        __extension__({VPROF_FUNCTION(54) std::puts("none");});
    }
    return 0;
}
