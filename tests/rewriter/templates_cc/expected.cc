/* Templates are instrumented once, in their text. What a parameter decides can't be timed at the
 * call; overloads of the tree are callees all the same. */
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

static int size_of(int n) {VPROF_FUNCTION(1) return n; }
static int size_of(const std::string &text) {VPROF_FUNCTION(2) return static_cast<int>(__extension__({VPROF_FUNCTION(12) text.size();})); }

template <class T> struct Shelf {
    std::vector<T> things;
    void put(const T &thing) {VPROF_FUNCTION(3) things.push_back(thing); }
    int weight() const;
    template <class U> int pick(U filter) const {VPROF_FUNCTION(4) return filter(things.front()); }
    explicit operator bool() const {VPROF_FUNCTION(5) return !things.empty(); }
};

template <class T> int Shelf<T>::weight() const
{VPROF_FUNCTION(6)
    int sum = __extension__({VPROF_FUNCTION(17) std::abs(-1);});
    for (const T &thing : things)
        sum += size_of(thing);
    return sum;
}

template <> int Shelf<char>::weight() const { return std::abs(-7); }

template <class T> struct Shelf<T *> {
    int weight() const {VPROF_FUNCTION(7) return __extension__({VPROF_FUNCTION(19) std::abs(-9);}); }
};

template <class T> static int total(const T &shelf)
{VPROF_FUNCTION(8)
    if constexpr (std::is_same<T, int>::value)
        return std::abs(shelf);
    else
        return shelf.weight() + static_cast<int>(shelf.things.size());
}

template <class... T> static int all(const T &...shelves)
{VPROF_FUNCTION(9)
    return (0 + ... + total(shelves));
}

int main()
{VPROF_FUNCTION(10)
    Shelf<int> numbers;
    Shelf<std::string> words;
    Shelf<char> letters;
    Shelf<char *> pointers;
    numbers.put(3);
    words.put("abc");
    __extension__({VPROF_FUNCTION(26) std::printf("%d %d %d %d\n", VPROF_RESTART(26, all(numbers, words, letters, -2)), VPROF_RESTART(26, pointers.weight()),
                numbers.pick([](int n) {VPROF_FUNCTION(11) return n * 2; }), VPROF_RESTART(26, numbers ? 1 : 0));});
    return 0;
}
