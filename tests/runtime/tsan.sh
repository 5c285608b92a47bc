#!/bin/sh
# tsan.sh - the runtime and the programs that use it from many threads, under ThreadSanitizer.
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
status=0
for program in workers waits short_threads forks; do
    # wrap.c is for a library of its own, which stands before libc. ThreadSanitizer knows no fences: -Wno-tsan. It wants a fixed memory layout: setarch -R.
    # shellcheck disable=SC2046
    gcc -fsanitize=thread -Wno-tsan -g -O1 -std=gnu11 -D_GNU_SOURCE -I. -Iinclude \
        -o "$work/$program" tests/runtime/$program.c $(ls runtime/*.c | grep -v /wrap.c) -pthread || exit 1
    mkdir "$work/$program.trace"
    if VPROF_TRACE_DIR="$work/$program.trace" TSAN_OPTIONS=halt_on_error=1 \
        setarch -R timeout 120 "$work/$program" >"$work/out" 2>&1 &&
        [ -n "$(find "$work/$program.trace" -name '*.vtr' -size +8k)" ]; then
        echo "$program: clean"
    else
        echo "$program: FAILED"
        cat "$work/out"
        status=1
    fi
done
exit $status
