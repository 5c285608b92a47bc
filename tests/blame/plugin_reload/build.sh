#!/bin/sh
set -e
${CC:-cc} -O2 -g -fPIC -shared $VPROF_CFLAGS rules.c -o flat.so
${CC:-cc} -O2 -g -fPIC -shared -DDEEP $VPROF_CFLAGS rules.c -o deep.so
${CC:-cc} -O2 -g -fPIC -shared $VPROF_CFLAGS rules.c -o other.so
${CC:-cc} -O2 -g -Wall $VARIANT $VPROF_CFLAGS main.c -o prog -ldl -lm -lpthread $VPROF_LIBS
[ -n "$BUILD_ONLY" ] || exec ./run.sh
