#!/bin/sh
set -e
${CXX:-c++} -O2 -g -fPIC -shared $VPROF_CFLAGS codec.cc -o codec.so
${CXX:-c++} -O2 -g $VPROF_CFLAGS main.cc -o prog -ldl -lm $VPROF_LIBS
[ -n "$BUILD_ONLY" ] || exec ./run.sh
