#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
struct Order {
    int number;
};
class Desk
{
  public:
    void put(std::unique_ptr<Order> order)
    {
        std::lock_guard<std::mutex> guard(lock_);
        orders_.push_back(std::move(order));
        filled_.notify_one();
    }
    std::unique_ptr<Order> take()
    {
        std::unique_lock<std::mutex> guard(lock_);
        filled_.wait(guard, [this] { return !orders_.empty(); });
        std::unique_ptr<Order> order = std::move(orders_.front());
        orders_.pop_front();
        return order;
    }

  private:
    std::mutex lock_;
    std::condition_variable filled_;
    std::deque<std::unique_ptr<Order>> orders_;
};
static volatile unsigned sum;
static void cook(const Order &order)
{
    for (int i = 0; i < order.number; i++)
        sum = sum + i;
}
static void kitchen(Desk *desk)
{
    while (true) {
        std::unique_ptr<Order> order = desk->take();
        if (order->number < 0)
            return;
        cook(*order);
    }
}
int main()
{
    Desk desk;
    std::thread cookThread(kitchen, &desk);
    for (int i = 0; i < 1000; i++)
        desk.put(std::make_unique<Order>(Order{i == 999 ? -1 : i}));
    cookThread.join();
}
