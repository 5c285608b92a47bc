// C++: an epoll loop reads requests, a pool of threads answers them.
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Request {
    int client;
    std::string text;
};

class Queue {
public:
    void put(Request *request)
    {
        std::lock_guard<std::mutex> guard(lock_);
        requests_.push_back(request);
        filled_.notify_one();
    }
    Request *take()
    {
        std::unique_lock<std::mutex> guard(lock_);
        while (requests_.empty())
            filled_.wait(guard);
        Request *request = requests_.front();
        requests_.pop_front();
        return request;
    }

private:
    std::mutex lock_;
    std::condition_variable filled_;
    std::deque<Request *> requests_;
};

class Engine {
public:
    void run(Request *request)
    {
        std::string reply = evaluate(request->text) + "\n";
        send(request->client, reply.data(), reply.size(), MSG_NOSIGNAL);
        delete request;
    }

private:
    std::string evaluate(const std::string &text)
    {
        long sum = 0;
        for (char c : text)
            sum += c;
        return std::to_string(sum);
    }
};

static Queue queue;

static void work()
{
    Engine engine;
    for (;;)
        engine.run(queue.take());
}

static void read_from(int client)
{
    char block[512];
    ssize_t got = recv(client, block, sizeof block, 0);
    if (got <= 0) {
        close(client);
        return;
    }
    queue.put(new Request{client, std::string(block, static_cast<size_t>(got))});
}

int main()
{
    int door = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(7010);
    if (bind(door, reinterpret_cast<sockaddr *>(&address), sizeof address) || listen(door, 8))
        return 1;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back(work);
    int poller = epoll_create1(0);
    epoll_event own = {};
    own.events = EPOLLIN;
    own.data.fd = door;
    epoll_ctl(poller, EPOLL_CTL_ADD, door, &own);
    for (;;) {
        epoll_event events[16];
        int count = epoll_wait(poller, events, 16, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd != door) {
                read_from(events[i].data.fd);
                continue;
            }
            epoll_event fresh = {};
            fresh.events = EPOLLIN;
            fresh.data.fd = accept(door, nullptr, nullptr);
            epoll_ctl(poller, EPOLL_CTL_ADD, fresh.data.fd, &fresh);
        }
    }
}
