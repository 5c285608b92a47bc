#!/bin/sh
set -e
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
cat > "$away/loop.c" <<'C'
static void (*on_data)(void *, unsigned), (*on_idle)(void *, unsigned), *given;
static unsigned value;
void loop_set(void (*data)(void *, unsigned), void (*idle)(void *, unsigned), void *context)
{
    on_data = data;
    on_idle = idle;
    given = context;
}
void loop_push(unsigned v) { value = v; }
void loop_run(void) { on_data(given, value); on_idle(given, value); }
C
(cd "$away" && ${CC:-cc} -O2 -fPIC -shared loop.c -o libloop.so)
cp "$away/libloop.so" .
${CC:-cc} -O2 -g -Wall $VPROF_CFLAGS main.c -o prog -L. -lloop -Wl,-rpath,"$PWD" -lm $VPROF_LIBS
if [ -z "$BUILD_ONLY" ]; then ./run.sh; fi
