/* C++ before 17: a result that is an object may have to be moved, so such a call is left alone. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

static int total(const std::map<int, int> &all, int key)
{
    return all.at(key) + std::abs(-2);
}

int main()
{
    std::map<int, int> all;
    all[3] = 4;
    std::ostringstream out;
    out.write("abc", 3).put('d').flush();
    int key = 3;
    all.at(key) += 1;
    std::printf("%d %s %d\n", total(all, key), out.str().c_str(), all.at(key));
    std::string text = out.str();
    /* Numbers that live for as long as the expression does: the reference is read after the call. */
    const std::size_t least = std::min(text.size(), out.str().size());
    if (std::max(text.size() - 4, least) != 4 || (std::min<long>(1, key) ? least : 0) != 4)
        return 1;
    std::size_t value = __extension__({ std::min(text.size() + 1, least + 2); });
    std::min(value, least + 1);
    text.append(out.str()).resize(4);
    std::printf("%zu %zu\n", least, value);
    return text.compare("abcd");
}
