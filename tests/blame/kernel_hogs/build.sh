#!/bin/sh
set -e
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
echo 'int main(void) { for (;;) __asm__ volatile(""); }' > "$away/hog.c"
(cd "$away" && ${CC:-cc} -O2 hog.c -o hog)
cp "$away/hog" .
${CC:-cc} -O2 -g -Wall $VARIANT $VPROF_CFLAGS main.c -o prog -lpthread -lm $VPROF_LIBS
if [ -z "$BUILD_ONLY" ]; then ./run.sh; fi
