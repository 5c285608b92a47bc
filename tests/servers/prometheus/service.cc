/* service.cc - a shop that counts its orders with prometheus-cpp, by customer.
 *
 *     service ORDERS_PORT METRICS_PORT CUSTOMERS [keep]
 *
 * GET /order?customer=N on the first port is an order, GET /metrics on the second a scrape, both on
 * loopback. Each order looks its customer's counter and histogram up by label, as most services do;
 * with `keep` those of all customers are remembered from the start, as prometheus-cpp advises. Ends
 * with SIGTERM.
 */
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "CivetServer.h"
#include "prometheus/counter.h"
#include "prometheus/exposer.h"
#include "prometheus/family.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"

using prometheus::Counter;
using prometheus::Histogram;

struct Meters {
    Counter *orders;
    Histogram *seconds;
};

class Orders : public CivetHandler
{
  public:
    explicit Orders(prometheus::Registry &registry)
        : counters_(
              prometheus::BuildCounter().Name("orders_total").Help("Orders").Register(registry)),
          histograms_(prometheus::BuildHistogram()
                          .Name("order_seconds")
                          .Help("How long an order took")
                          .Register(registry))
    {
    }

    bool handleGet(CivetServer *server, mg_connection *connection) override
    {
        (void)server;
        auto start = std::chrono::steady_clock::now();
        std::string customer = customer_of(mg_get_request_info(connection)->query_string);
        price(customer);
        Meters meters = meters_of(customer);
        meters.orders->Increment();
        meters.seconds->Observe(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        mg_printf(connection, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n");
        return true;
    }

    void keep(const std::string &customer)
    {
        kept_[customer] = look_up(customer);
    }

    Meters look_up(const std::string &customer)
    {
        static const std::vector<double> bounds = {.001, .002, .005, .01, .02, .05, .1, .2, .5, 1};
        return {&counters_.Add({{"customer", customer}}),
                &histograms_.Add({{"customer", customer}}, bounds)};
    }

  private:
    static std::string customer_of(const char *query)
    {
        const char *value = query ? strchr(query, '=') : nullptr;
        return value ? value + 1 : "0";
    }

    /* Some 50 microseconds of work. */
    static void price(const std::string &customer)
    {
        const char *text = customer.c_str();
        size_t length = customer.size();
        volatile unsigned sum = 0;
        for (unsigned i = 0; i < 20000; i++)
            sum = sum * 31 + static_cast<unsigned char>(text[i % length]);
    }

    Meters meters_of(const std::string &customer)
    {
        auto found = kept_.find(customer);
        return found == kept_.end() ? look_up(customer) : found->second;
    }

    prometheus::Family<Counter> &counters_;
    prometheus::Family<Histogram> &histograms_;
    std::map<std::string, Meters> kept_; /* not changed once the server runs */
};

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5)
        return 2;
    sigset_t ends;
    int number;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, nullptr);
    auto registry = std::make_shared<prometheus::Registry>();
    Orders orders(*registry);
    for (int i = 0; i < atoi(argv[3]); i++)
        if (argc == 5)
            orders.keep(std::to_string(i));
        else
            orders.look_up(std::to_string(i));
    prometheus::Exposer exposer(std::string("127.0.0.1:") + argv[2], 4);
    exposer.RegisterCollectable(registry);
    CivetServer server({"listening_ports", std::string("127.0.0.1:") + argv[1], "num_threads", "8",
                        "enable_keep_alive", "yes", "keep_alive_timeout_ms", "10000", "tcp_nodelay",
                        "1"});
    server.addHandler("/order", &orders);
    puts("ready");
    fflush(stdout);
    sigwait(&ends, &number);
}
