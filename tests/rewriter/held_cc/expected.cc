/* Calls in which temporary objects live on until the whole expression is over; all that is timed keeps
 * their lives, and ends where the call ends or throws. */
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Loud {
    std::string name;
    explicit Loud(std::string n) : name(std::move(n)) {VPROF_FUNCTION(1)}
    Loud(const Loud &other) : name(other.name + "'") {VPROF_FUNCTION(2)}
    ~Loud() {VPROF_FUNCTION(3) __extension__({VPROF_FUNCTION(13) std::printf("~%s\n", VPROF_RESTART(13, __extension__({VPROF_FUNCTION(14) name.c_str();})));}); }
    const Loud &self() const & {VPROF_FUNCTION(4) return *this; }
    std::string take() && {VPROF_FUNCTION(5) return std::move(name); }
    int length() const {VPROF_FUNCTION(6) return (int)__extension__({VPROF_FUNCTION(15) name.size();}); }
};
static Loud make(const char *name) {VPROF_FUNCTION(7) return Loud(name); }
static const Loud &pick(const Loud &a, const Loud &) {VPROF_FUNCTION(8) return a; }

static std::string text(int n) {VPROF_FUNCTION(9) return "text " + __extension__({VPROF_FUNCTION(16) std::to_string(n);}); }

int main()
{VPROF_FUNCTION(10)
    __extension__({VPROF_FUNCTION(17) std::printf("%s %zu\n", VPROF_HELD(19).vprof_value_1(text(1).c_str()), VPROF_HELD(21).vprof_value_1(VPROF_HELD(20).vprof_place_1(std::string("abc").append("d")).size()));});
    __extension__({VPROF_FUNCTION(22) std::printf("%d %s\n", make("one").self().length(), VPROF_HELD(28).vprof_value_1(make("two").take().c_str()));});
    Loud copy = pick(Loud("left"), Loud("right"));
    std::vector<std::string> names;
    __extension__({VPROF_FUNCTION(30) names.reserve(8);});
    auto &last = VPROF_HELD(31).vprof_place_1(names.emplace_back(std::string("a") + "b"));
    last += VPROF_HELD(34).vprof_value_1(VPROF_HELD(33).vprof_object_1(VPROF_HELD(32).vprof_place_1(names.emplace_back(text(2))).substr(1)).c_str());
    const char *found = VPROF_HELD(36).vprof_value_1(std::string("find").find("x")) == std::string::npos ? "no" : "yes";
    std::size_t sum = VPROF_HELD(38).vprof_value_1(VPROF_HELD(37).vprof_place_1(names.at(VPROF_HELD(39).vprof_value_1(std::string("x").size()))).size()) + VPROF_HELD(41).vprof_value_1(VPROF_HELD(40).vprof_object_1(std::string("yz").substr(1)).length());
    std::map<std::string, std::vector<int>> table{{"k", {1, 2}}};
    int sums = VPROF_HELD(43).vprof_place_1(VPROF_HELD(42).vprof_place_1(table.at("k")).at(1)) + VPROF_HELD(45).vprof_place_1(VPROF_HELD(44).vprof_place_1(table.at(std::string("k"))).front());
    bool is = VPROF_HELD(46).vprof_value_1(std::function<bool(int)>([](int n) {VPROF_FUNCTION(11) return n > 1; })(2)) && VPROF_HELD(48).vprof_value_1(text(3).find("3")) != 0;
    std::vector<std::thread> threads;
    std::thread &thread = VPROF_HELD(49).vprof_place_1(threads.emplace_back([&is] {VPROF_FUNCTION(12) is = !is; }));
    __extension__({VPROF_FUNCTION(50) thread.join();});
    for (char c : text(4).substr(5))
        __extension__({VPROF_FUNCTION(53) std::putchar(c);});
    try {
        __extension__({VPROF_FUNCTION(54) std::printf("%d\n", VPROF_HELD(56).vprof_place_1(VPROF_HELD(55).vprof_place_1(table.at(std::string("none"))).at(0)));});
    } catch (const std::out_of_range &) {
        __extension__({VPROF_FUNCTION(57) std::puts("thrown");});
    }
    __extension__({VPROF_FUNCTION(58) std::printf("%s %s %zu %d %d %s\n", VPROF_RESTART(58, __extension__({VPROF_FUNCTION(59) names[0].c_str();})), found, sum, sums, is, VPROF_RESTART(58, __extension__({VPROF_FUNCTION(60) copy.name.c_str();})));});
    return VPROF_HELD(61).vprof_value_1(std::string("ab").compare(VPROF_HELD(65).vprof_place_1(VPROF_HELD(64).vprof_place_1(VPROF_HELD(63).vprof_object_1(text(5).substr(0, 2)).insert(0, "ab")).erase(2)))) != 0;
}
