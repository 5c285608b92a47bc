#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace shop {
struct Base {
    virtual ~Base() {VPROF_FUNCTION(1) __extension__({VPROF_FUNCTION(14) std::puts("~Base");}); }
    virtual int price() const = 0;
    int (*hook)(int) = nullptr;
};

class Item : public Base {
public:
    explicit Item(int n) : n_(std::abs(n)), name_("item") {VPROF_FUNCTION(2) __extension__({VPROF_FUNCTION(16) std::puts("Item");}); }
    Item(const char *name) try : n_(1), name_(name) {
    } catch (...) {
        std::puts("thrown");
    }
    int price() const override {VPROF_FUNCTION(4) return n_; }
    const std::string &name() const {VPROF_FUNCTION(5) return name_; }
    int &slot() {VPROF_FUNCTION(6) return n_; }
    bool operator<(const Item &other) const {VPROF_FUNCTION(7) return n_ < other.n_; }
    static constexpr int limit(int n) { return n * 2; }

private:
    int n_;
    std::string name_;
};

template <class T> T largest(const std::vector<T> &all)
{VPROF_FUNCTION(9)
    T best = all[0];
    for (const T &one : all)
        if (best < one)
            best = one;
    __extension__({VPROF_FUNCTION(17) std::puts("largest");});
    return best;
}

template <class T> struct Box {
    T value;
    int size() {VPROF_FUNCTION(10) return __extension__({VPROF_FUNCTION(18) std::abs(static_cast<int>(sizeof value));}); }
};

static int total(const std::vector<Base *> &all)
{VPROF_FUNCTION(11)
    int sum = 0;
    auto add = [&sum](int n) {VPROF_FUNCTION(12) sum += __extension__({VPROF_FUNCTION(24) std::abs(n);}); };
    for (Base *one : all) {
        add(one->price());
        if (one->hook)
            add(__extension__({VPROF_FUNCTION(22) VPROF_TARGET(22, one->hook)(VPROF_RESTART(22, one->price()));}));
    }
    return sum;
}
} // namespace shop

int main()
{VPROF_FUNCTION(13)
    shop::Item one(-5), two("two");
    one.hook = std::abs;
    two.slot() = 7;
    char limits[shop::Item::limit(2)];
    std::vector<shop::Base *> all{&one, &two};
    shop::Box<int> box{3};
    __extension__({VPROF_FUNCTION(27) std::printf("%d %s %d %d\n", VPROF_RESTART(27, shop::total(all)), VPROF_RESTART(27, __extension__({VPROF_FUNCTION(30) one.name().c_str();})), VPROF_RESTART(27, box.size()),
                shop::largest(std::vector<int>{1, 3, 2}));});
    const char *at = __extension__({VPROF_FUNCTION(33) std::strchr(VPROF_HELD(34).vprof_value_1(std::string("abc").c_str()), 'b');});
    __extension__({VPROF_FUNCTION(35) std::printf("%d %d %zu\n", VPROF_RESTART(35, one < two), at != nullptr, sizeof limits);});
    try {
        throw __extension__({VPROF_FUNCTION(36) std::strlen(VPROF_RESTART(36, __extension__({VPROF_FUNCTION(38) two.name().c_str();})));});
    } catch (std::size_t length) {
        __extension__({VPROF_FUNCTION(39) std::printf("%zu\n", length);});
    }
    return 0;
}
