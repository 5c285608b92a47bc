#!/bin/sh
set -e
FLAGS="-O2 -g -Wall -fopenmp $VPROF_CFLAGS"
if [ -f main.cc ]; then ${CXX:-c++} -std=c++20 $FLAGS main.cc -o prog -lpthread -lm $VPROF_LIBS
else ${CC:-cc} $FLAGS main.c -o prog -lpthread -lm $VPROF_LIBS; fi
[ -n "$BUILD_ONLY" ] || exec ./run.sh
