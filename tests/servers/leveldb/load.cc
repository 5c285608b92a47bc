/* load.cc - threads that put random keys into a fresh database.
 *
 *     load FOLDER THREADS SECONDS WRITE_BUFFER_BYTES VALUE_BYTES [PUTS_A_SECOND]
 *
 * Keys of 16 bytes; with PUTS_A_SECOND each thread keeps to that rate, as far as it
 * can. Prints the number of puts, and their mean, variance and 99th percentile by a clock of its
 * own around each.
 */
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/db.h"

static double now_ns()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

static void sleep_until(double when_ns)
{
    double left_ns = when_ns - now_ns();
    if (left_ns <= 0)
        return;
    timespec time = {static_cast<time_t>(left_ns / 1e9), 0};
    time.tv_nsec = static_cast<long>(left_ns - static_cast<double>(time.tv_sec) * 1e9);
    nanosleep(&time, nullptr);
}

static std::vector<double> put(leveldb::DB *db, unsigned seed, size_t value_bytes, double end_ns,
                               double pause_ns)
{
    std::vector<double> taken;
    std::string value(value_bytes, 'v');
    char key[32];
    for (double next = now_ns(); next < end_ns; next = std::max(next + pause_ns, now_ns())) {
        sleep_until(next);
        seed = seed * 1103515245u + 12345u;
        snprintf(key, sizeof key, "%016u", seed);
        double start = now_ns();
        if (!db->Put(leveldb::WriteOptions(), key, value).ok())
            exit(1);
        taken.push_back(now_ns() - start);
    }
    return taken;
}

static void print(std::vector<double> &taken)
{
    double n = static_cast<double>(taken.size()), mean = 0, variance = 0;
    for (double t : taken)
        mean += t / n;
    for (double t : taken)
        variance += (t - mean) * (t - mean) / n;
    std::sort(taken.begin(), taken.end());
    printf("%zu puts, mean %.0f ns, variance %.6g ns2, p99 %.0f ns\n", taken.size(), mean, variance,
           taken[taken.size() * 99 / 100]);
}

int main(int argc, char **argv)
{
    if (argc != 6 && argc != 7)
        return 2;
    leveldb::Options options;
    options.create_if_missing = true;
    options.write_buffer_size = strtoul(argv[4], nullptr, 10);
    leveldb::DB *db;
    if (!leveldb::DB::Open(options, argv[1], &db).ok())
        return 1;
    double end_ns = now_ns() + atof(argv[3]) * 1e9, pause_ns = argc == 7 ? 1e9 / atof(argv[6]) : 0;
    std::vector<std::thread> threads;
    std::vector<double> all;
    std::mutex mutex;
    for (unsigned i = 0; i < strtoul(argv[2], nullptr, 10); i++)
        threads.emplace_back([&, i] {
            std::vector<double> taken =
                put(db, i * 7919 + 1, strtoul(argv[5], nullptr, 10), end_ns, pause_ns);
            std::lock_guard<std::mutex> guard(mutex);
            all.insert(all.end(), taken.begin(), taken.end());
        });
    for (std::thread &thread : threads)
        thread.join();
    print(all);
    delete db;
}
