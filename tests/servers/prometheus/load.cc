/* load.cc - a shop's customers, and what scrapes its metrics, over loopback.
 *
 *     load ORDERS_PORT METRICS_PORT CUSTOMERS CLIENTS ORDERS_A_SECOND SECONDS SCRAPERS
 * SCRAPES_A_MINUTE
 *
 * Each client keeps one connection and to its part of the rate, as far as it can. Prints the number
 * of orders, their mean, variance and 99th percentile by a clock of its own, and the number of
 * scrapes.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static double now_ns()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

static void sleep_until(double when_ns)
{
    double left_ns = when_ns - now_ns();
    if (left_ns > 0)
        usleep(static_cast<useconds_t>(left_ns / 1e3));
}

static int connect_to(int port)
{
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (fd < 0 || connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
        exit(1);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

/* The bytes of the answer, which ends where its Content-Length says. */
static size_t get(int fd, const std::string &path)
{
    std::string text = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n", got;
    if (write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        exit(1);
    static thread_local char buffer[1 << 16];
    for (size_t wanted = SIZE_MAX; got.size() < wanted;) {
        ssize_t bytes = read(fd, buffer, sizeof buffer);
        if (bytes <= 0)
            exit(1);
        got.append(buffer, static_cast<size_t>(bytes));
        size_t end = got.find("\r\n\r\n"), length = got.find("Content-Length: ");
        if (wanted == SIZE_MAX && end != std::string::npos && length < end)
            wanted = end + 4 + strtoul(got.c_str() + length + 16, nullptr, 10);
    }
    return got.size();
}

static std::vector<double> order(int port, unsigned seed, unsigned customers, double pause_ns,
                                 double end_ns)
{
    std::vector<double> taken;
    int fd = connect_to(port);
    for (double next = now_ns(); next < end_ns; next = std::max(next + pause_ns, now_ns())) {
        sleep_until(next);
        seed = seed * 1103515245u + 12345u;
        double start = now_ns();
        get(fd, "/order?customer=" + std::to_string(seed / 65536 % customers));
        taken.push_back(now_ns() - start);
    }
    close(fd);
    return taken;
}

static unsigned scrape(int port, double pause_ns, double end_ns)
{
    unsigned done = 0;
    for (double next = now_ns(); next < end_ns; next = std::max(next + pause_ns, now_ns())) {
        sleep_until(next);
        int fd = connect_to(port);
        get(fd, "/metrics");
        close(fd);
        done++;
    }
    return done;
}

static void print(std::vector<double> &taken, unsigned scrapes)
{
    double n = static_cast<double>(taken.size()), mean = 0, variance = 0;
    for (double t : taken)
        mean += t / n;
    for (double t : taken)
        variance += (t - mean) * (t - mean) / n;
    std::sort(taken.begin(), taken.end());
    printf("%zu orders, mean %.0f ns, variance %.6g ns2, p99 %.0f ns, %u scrapes\n", taken.size(),
           mean, variance, taken[taken.size() * 99 / 100], scrapes);
}

int main(int argc, char **argv)
{
    if (argc != 9)
        return 2;
    int ports[] = {atoi(argv[1]), atoi(argv[2])};
    unsigned customers = static_cast<unsigned>(atoi(argv[3])),
             clients = static_cast<unsigned>(atoi(argv[4]));
    double end_ns = now_ns() + atof(argv[6]) * 1e9;
    std::vector<std::thread> threads;
    std::vector<double> all;
    unsigned scrapes = 0;
    std::mutex mutex;
    for (unsigned i = 0; i < clients; i++)
        threads.emplace_back([&, i] {
            auto taken =
                order(ports[0], i * 7919 + 1, customers, clients * 1e9 / atof(argv[5]), end_ns);
            std::lock_guard<std::mutex> guard(mutex);
            all.insert(all.end(), taken.begin(), taken.end());
        });
    for (int i = 0; i < atoi(argv[7]); i++)
        threads.emplace_back([&] {
            unsigned done = scrape(ports[1], 60e9 / atof(argv[8]), end_ns);
            std::lock_guard<std::mutex> guard(mutex);
            scrapes += done;
        });
    for (std::thread &thread : threads)
        thread.join();
    print(all, scrapes);
}
