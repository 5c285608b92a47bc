#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace shop {
struct Base {
    virtual ~Base() { std::puts("~Base"); }
    virtual int price() const = 0;
    int (*hook)(int) = nullptr;
};

class Item : public Base {
public:
    explicit Item(int n) : n_(std::abs(n)), name_("item") { std::puts("Item"); }
    Item(const char *name) try : n_(1), name_(name) {
    } catch (...) {
        std::puts("thrown");
    }
    int price() const override { return n_; }
    const std::string &name() const { return name_; }
    int &slot() { return n_; }
    bool operator<(const Item &other) const { return n_ < other.n_; }
    static constexpr int limit(int n) { return n * 2; }

private:
    int n_;
    std::string name_;
};

template <class T> T largest(const std::vector<T> &all)
{
    T best = all[0];
    for (const T &one : all)
        if (best < one)
            best = one;
    std::puts("largest");
    return best;
}

template <class T> struct Box {
    T value;
    int size() { return std::abs(static_cast<int>(sizeof value)); }
};

static int total(const std::vector<Base *> &all)
{
    int sum = 0;
    auto add = [&sum](int n) { sum += std::abs(n); };
    for (Base *one : all) {
        add(one->price());
        if (one->hook)
            add(one->hook(one->price()));
    }
    return sum;
}
} // namespace shop

int main()
{
    shop::Item one(-5), two("two");
    one.hook = std::abs;
    two.slot() = 7;
    char limits[shop::Item::limit(2)];
    std::vector<shop::Base *> all{&one, &two};
    shop::Box<int> box{3};
    std::printf("%d %s %d %d\n", shop::total(all), one.name().c_str(), box.size(),
                shop::largest(std::vector<int>{1, 3, 2}));
    const char *at = std::strchr(std::string("abc").c_str(), 'b');
    std::printf("%d %d %zu\n", one < two, at != nullptr, sizeof limits);
    try {
        throw std::strlen(two.name().c_str());
    } catch (std::size_t length) {
        std::printf("%zu\n", length);
    }
    return 0;
}
