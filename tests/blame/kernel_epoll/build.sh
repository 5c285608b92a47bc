#!/bin/sh
set -e
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
cat > "$away/loop.c" <<'E'
#include <sys/epoll.h>
void loop_turn(int set);
void loop_turn(int set) { struct epoll_event e; while (epoll_wait(set, &e, 1, -1) != 1) {} }
E
(cd "$away" && ${CC:-cc} -O2 -g -fPIC -shared loop.c -o libloop.so)
cp "$away/libloop.so" .
${CC:-cc} -O2 -g -Wall $VARIANT $VPROF_CFLAGS main.c -o prog -L. -lloop -Wl,-rpath,"$PWD" -lm -lpthread $VPROF_LIBS
if [ -z "$BUILD_ONLY" ]; then ./run.sh; fi
