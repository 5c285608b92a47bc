#!/bin/sh
# Builds prometheus-cpp in the folder it is started in, and service.cc, which lies in it. Needs cmake and libcivetweb-dev,
# whose own CMake files ask for the program civetweb, too: a server that would be started. Hence these two lines.
set -e
if [ ! -f build/Makefile ]; then
    mkdir -p build/civetweb
    echo 'add_library(civetweb::civetweb-cpp INTERFACE IMPORTED)
target_link_libraries(civetweb::civetweb-cpp INTERFACE civetweb-cpp civetweb)' >build/civetweb/civetweb-config.cmake
    cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo -DUSE_THIRDPARTY_LIBRARIES=OFF -DENABLE_PUSH=OFF \
        -DENABLE_TESTING=OFF -DENABLE_COMPRESSION=OFF "-Dcivetweb_DIR=$PWD/build/civetweb" >configure.out
fi
make -s -j2 -C build pull
c++ -O2 -g -std=c++17 -Icore/include -Ipull/include -Ibuild/core/include -Ibuild/pull/include -c service.cc -o build/service.o
c++ -o build/service build/service.o build/lib/libprometheus-cpp-pull.a build/lib/libprometheus-cpp-core.a \
    -lcivetweb-cpp -lcivetweb -lpthread
