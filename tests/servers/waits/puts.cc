/* puts.cc - threads that put random keys into a fresh leveldb, each batch on the disk before the next.
 *
 *     puts FOLDER THREADS SECONDS BATCH
 *
 * Prints how many keys were put a second.
 */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/write_batch.h"

using clock_type = std::chrono::steady_clock;

static void put(leveldb::DB *db, unsigned seed, int batch_size, clock_type::time_point end,
                long *done)
{
    std::mt19937_64 random(seed);
    leveldb::WriteOptions on_disk;
    on_disk.sync = true;
    std::string value(100, 'v');
    while (clock_type::now() < end) {
        leveldb::WriteBatch batch;
        for (int i = 0; i < batch_size; i++)
            batch.Put(std::to_string(random()), value);
        if (!db->Write(on_disk, &batch).ok())
            exit(1);
        *done += batch_size;
    }
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    int threads = atoi(argv[2]), seconds = atoi(argv[3]), batch = atoi(argv[4]);
    leveldb::Options options;
    options.create_if_missing = true;
    leveldb::DB *db = nullptr;
    if (!leveldb::DB::Open(options, argv[1], &db).ok())
        return 1;
    auto end = clock_type::now() + std::chrono::seconds(seconds);
    std::vector<long> done(threads);
    std::vector<std::thread> pool;
    for (int i = 0; i < threads; i++)
        pool.emplace_back(put, db, i, batch, end, &done[i]);
    long sum = 0;
    for (int i = 0; i < threads; i++) {
        pool[i].join();
        sum += done[i];
    }
    printf("%ld a second\n", sum / seconds);
    delete db;
}
