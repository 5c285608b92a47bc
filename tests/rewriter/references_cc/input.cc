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
    explicit Loud(std::string n) : name(std::move(n)) {}
    ~Loud() { std::printf("~%s\n", name.c_str()); }
};

static std::string label(const std::map<int, std::string> &names, int key)
{
    const std::string &found = names.at(key);
    auto &&same = names.at(key);
    decltype(auto) again = names.at(key);
    static_assert(std::is_same<decltype(again), const std::string &>::value, "an lvalue");
    return &found == &same && &same == &again ? found.substr(1) : std::string();
}

int main()
{
    std::map<int, std::string> names{{1, "_one"}, {2, "_two"}};
    names.at(2).push_back('!');
    names.at(1) = "_uno";
    int n = 7, m = 9;
    std::ref(n).get() += 1;
    int larger = std::max(2, n) + std::max(n, m);
    std::ostringstream out;
    out.put('a').put('b').write("cd", 2).flush();
    far::Row row;
    row.push_back(std::make_unique<int>(3));
    std::unique_ptr<int> taken = std::exchange(row.at(0), nullptr);
    std::unique_ptr<int> fresh = std::make_unique<int>(n);
    row.emplace_back(std::move(fresh));
    std::unique_ptr<int> moved = std::move(row.back());
    std::string text = out.str(), number = std::to_string(larger);
    const std::string &kept = std::to_string(n);
    std::shared_ptr<Loud> loud = std::make_shared<Loud>(std::to_string(m));
    for (char c : out.str().substr(1))
        std::putchar(c);
    std::array<int, 2> pair{{1, 2}};
    pair.at(1) = static_cast<int>(text.size());
    char room[std::array<int, 3>().size()];
    std::printf("%s %s %s %s %d %d %s %zu\n", label(names, 1).c_str(), label(names, 2).c_str(),
                text.c_str(), number.c_str(), *taken, *moved, kept.c_str(), sizeof room);
    std::printf("%d %zu %d\n", pair[1], out.str().find("cd"), std::make_pair(1, 2).second);
    try {
        names.at(3).clear();
    } catch (const std::exception &) {
        std::puts("none");
    }
    return 0;
}
