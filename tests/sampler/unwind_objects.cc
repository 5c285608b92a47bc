// A C++ program that is never idle: virtual calls, a comparison within std::sort, exceptions that are caught.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
volatile unsigned long sum;

struct Shape {
    virtual ~Shape() = default;
    virtual unsigned long area(int depth) const = 0;
};

struct Square : Shape {
    unsigned long area(int depth) const override
    {
        for (int i = 0; i < 200; i++)
            sum = sum + static_cast<unsigned long>(i);
        return depth > 0 ? Square().area(depth - 1) + 1 : 1;
    }
};

void refuse(int number)
{
    std::string text = "number " + std::to_string(number);
    if (number % 2)
        throw std::runtime_error(text);
    sum = sum + text.size();
}

unsigned long count(const std::function<unsigned long(int)> &work)
{
    std::map<int, std::vector<std::string>> by_length;
    for (int i = 0; i < 50; i++)
        by_length[i % 7].push_back(std::to_string(i * 7919));
    for (auto &each : by_length)
        std::sort(each.second.begin(), each.second.end(), [&](const auto &a, const auto &b) {
            sum = sum + work(2);
            return a < b;
        });
    for (int i = 0; i < 4; i++)
        try {
            refuse(i);
        } catch (const std::runtime_error &error) {
            sum = sum + std::string(error.what()).size();
        }
    return by_length.size();
}
} // namespace

int main()
{
    std::unique_ptr<Shape> shape = std::make_unique<Square>();
    for (;;)
        sum = sum + count([&](int depth) { return shape->area(depth); });
}
