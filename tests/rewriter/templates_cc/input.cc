/* Templates are instrumented once, in their text. What a parameter decides can't be timed at the
 * call; overloads of the tree are callees all the same. */
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

static int size_of(int n) { return n; }
static int size_of(const std::string &text) { return static_cast<int>(text.size()); }

template <class T> struct Shelf {
    std::vector<T> things;
    void put(const T &thing) { things.push_back(thing); }
    int weight() const;
    template <class U> int pick(U filter) const { return filter(things.front()); }
    explicit operator bool() const { return !things.empty(); }
};

template <class T> int Shelf<T>::weight() const
{
    int sum = std::abs(-1);
    for (const T &thing : things)
        sum += size_of(thing);
    return sum;
}

template <> int Shelf<char>::weight() const { return std::abs(-7); }

template <class T> struct Shelf<T *> {
    int weight() const { return std::abs(-9); }
};

template <class T> static int total(const T &shelf)
{
    if constexpr (std::is_same<T, int>::value)
        return std::abs(shelf);
    else
        return shelf.weight() + static_cast<int>(shelf.things.size());
}

template <class... T> static int all(const T &...shelves)
{
    return (0 + ... + total(shelves));
}

int main()
{
    Shelf<int> numbers;
    Shelf<std::string> words;
    Shelf<char> letters;
    Shelf<char *> pointers;
    numbers.put(3);
    words.put("abc");
    std::printf("%d %d %d %d\n", all(numbers, words, letters, -2), pointers.weight(),
                numbers.pick([](int n) { return n * 2; }), numbers ? 1 : 0);
    return 0;
}
