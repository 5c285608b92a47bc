// A C++ program that does what such programs do: containers, strings, a regular expression, exceptions that pass several calls,
// virtual calls, functions in objects, threads that wait for each other. objects SECONDS
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <queue>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Shape {
    virtual ~Shape() = default;
    virtual double area(double scale) const = 0;
};
struct Square : Shape {
    double side = 3;
    double area(double scale) const override
    {
        if (scale < 0)
            throw std::domain_error("no such square");
        return side * side * scale;
    }
};
struct Circle : Shape {
    double area(double scale) const override { return 3.14 * scale; }
};

double areas(const std::vector<std::unique_ptr<Shape>> &shapes, double scale)
{
    return std::accumulate(shapes.begin(), shapes.end(), 0.0,
                           [&](double sum, const auto &shape) { return sum + shape->area(scale); });
}

size_t words(const std::string &text)
{
    static const std::regex word("[a-z]+[0-9]*");
    std::map<std::string, size_t> counts;
    for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it)
        ++counts[it->str()];
    return counts.size();
}

size_t sorted(unsigned seed)
{
    std::vector<std::string> names;
    for (unsigned i = 0; i < 2000; i++)
        names.push_back("name" + std::to_string((i * 7919 + seed) % 10007));
    std::sort(names.begin(), names.end(), [](const auto &a, const auto &b) { return b < a; });
    return names.front().size();
}

size_t thrown(const std::vector<std::unique_ptr<Shape>> &shapes)
{
    size_t caught = 0;
    for (int i = 0; i < 200; i++)
        try {
            areas(shapes, i % 2 ? -1 : 1);
        } catch (const std::exception &error) {
            caught += std::string(error.what()).size();
        }
    return caught;
}

class Queue {
public:
    void put(std::function<size_t()> task)
    {
        std::lock_guard<std::mutex> hold(lock);
        tasks.push(std::move(task));
        some.notify_one();
    }
    std::function<size_t()> take()
    {
        std::unique_lock<std::mutex> hold(lock);
        some.wait(hold, [&] { return !tasks.empty(); });
        auto task = std::move(tasks.front());
        tasks.pop();
        return task;
    }

private:
    std::mutex lock;
    std::condition_variable some;
    std::queue<std::function<size_t()>> tasks;
};

} // namespace

int main(int argc, char **argv)
{
    auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(argc > 1 ? std::atof(argv[1]) : 1);
    Queue queue;
    std::vector<std::thread> threads;
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Circle>());
    shapes.push_back(std::make_unique<Square>());
    std::atomic<size_t> done{0};
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&] {
            while (auto task = queue.take())
                done += task();
        });
    std::string text;
    for (int i = 0; i < 500; i++)
        text += "word" + std::to_string(i % 37) + " ";
    for (unsigned i = 0; std::chrono::steady_clock::now() < until; i++) {
        queue.put([&text] { return words(text); });
        queue.put([i] { return sorted(i); });
        queue.put([&shapes] { return thrown(shapes); });
        std::this_thread::sleep_for(std::chrono::milliseconds(4));
    }
    for (size_t i = 0; i < threads.size(); i++)
        queue.put(nullptr);
    for (auto &thread : threads)
        thread.join();
    std::cout << done << "\n";
}
