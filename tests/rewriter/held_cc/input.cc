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
    explicit Loud(std::string n) : name(std::move(n)) {}
    Loud(const Loud &other) : name(other.name + "'") {}
    ~Loud() { std::printf("~%s\n", name.c_str()); }
    const Loud &self() const & { return *this; }
    std::string take() && { return std::move(name); }
    int length() const { return (int)name.size(); }
};
static Loud make(const char *name) { return Loud(name); }
static const Loud &pick(const Loud &a, const Loud &) { return a; }

static std::string text(int n) { return "text " + std::to_string(n); }

int main()
{
    std::printf("%s %zu\n", text(1).c_str(), std::string("abc").append("d").size());
    std::printf("%d %s\n", make("one").self().length(), make("two").take().c_str());
    Loud copy = pick(Loud("left"), Loud("right"));
    std::vector<std::string> names;
    names.reserve(8);
    auto &last = names.emplace_back(std::string("a") + "b");
    last += names.emplace_back(text(2)).substr(1).c_str();
    const char *found = std::string("find").find("x") == std::string::npos ? "no" : "yes";
    std::size_t sum = names.at(std::string("x").size()).size() + std::string("yz").substr(1).length();
    std::map<std::string, std::vector<int>> table{{"k", {1, 2}}};
    int sums = table.at("k").at(1) + table.at(std::string("k")).front();
    bool is = std::function<bool(int)>([](int n) { return n > 1; })(2) && text(3).find("3") != 0;
    std::vector<std::thread> threads;
    std::thread &thread = threads.emplace_back([&is] { is = !is; });
    thread.join();
    for (char c : text(4).substr(5))
        std::putchar(c);
    try {
        std::printf("%d\n", table.at(std::string("none")).at(0));
    } catch (const std::out_of_range &) {
        std::puts("thrown");
    }
    std::printf("%s %s %zu %d %d %s\n", names[0].c_str(), found, sum, sums, is, copy.name.c_str());
    return std::string("ab").compare(text(5).substr(0, 2).insert(0, "ab").erase(2)) != 0;
}
