#!/bin/sh
# Builds leveldb in the folder it is started in, and $LOAD_SOURCE (load.cc) with it.
set -e
[ -f build/Makefile ] || cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLEVELDB_BUILD_TESTS=OFF \
    -DLEVELDB_BUILD_BENCHMARKS=OFF -DHAVE_SNAPPY=OFF -DHAVE_TCMALLOC=OFF >configure.out
make -s -j2 -C build leveldb
c++ -O2 -g -std=c++17 -Iinclude "${LOAD_SOURCE:?}" build/libleveldb.a -lpthread -o build/load
