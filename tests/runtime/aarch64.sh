#!/bin/sh
# aarch64.sh - the runtime compiled for aarch64 without a warning, and programs of these tests under
# qemu's user mode with the runtime preloaded and linked statically; vtr.py reads their traces. Needs
# a cross compiler and qemu; exits 77 without.
cd "$(dirname "$0")/../.." || exit 2
cc=aarch64-linux-gnu-gcc system=/usr/aarch64-linux-gnu
if ! command -v $cc >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
    echo "left out: aarch64 (apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)"
    exit 77
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
status=0

flags="-std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -I. -Iinclude"
for source in runtime/*.c; do
    $cc $flags -fPIC -fvisibility=hidden -c -o "$work/$(basename "$source" .c).o" "$source" || exit 1
done
rm "$work/wrap.o" # it is compiled, and stands before libc in a library of its own
$cc -shared -Wl,-z,nodelete,-z,now,-z,defs -o "$work/libvprof.so" "$work"/*.o -pthread || exit 1
for program in calls forks happened signals workers; do
    $cc $flags -o "$work/$program" tests/runtime/$program.c -pthread || exit 1
    $cc $flags -static -o "$work/$program.static" tests/runtime/$program.c "$work"/*.o -pthread || exit 1
done

# run NAME ARGUMENT...: the program's traces are in $work/trace
run() {
    rm -rf "$work/trace"
    mkdir "$work/trace"
    program=$1
    shift
    case $program in
    *.static) preload= ;;
    *) preload="-E LD_PRELOAD=$work/libvprof.so" ;;
    esac
    VPROF_TRACE_DIR="$work/trace" timeout 120 qemu-aarch64 -L $system $preload "$work/$program" "$@"
}

# check NAME PYTHON: an expression over `traces`, `steps` (happened.c's, by slot) and `made`
check() {
    PYTHONPATH=tests/runtime python3 - "$work" "$1" "$2" <<'END' || status=1
import collections, pathlib, struct, sys
import check, nothing_lost, vtr
work, name, expression = pathlib.Path(sys.argv[1]), *sys.argv[2:]
traces = [vtr.read(p) for p in sorted((work / "trace").glob("*.vtr"))]
counts = work / "counts"
made = struct.unpack("<512Q", counts.read_bytes()) if counts.exists() else ()
functions = sum(len(t.records("function")) for t in traces)
ok = traces and all(t.header["clock"] == "cntvct" for t in traces) and eval(expression)
print(f"{name}: {'passed' if ok else 'FAILED'}, {len(traces)} traces, "
      f"{sum(len(t.records()) for t in traces)} records")
sys.exit(not ok)
END
}

for flavour in "" .static; do
    rm -f "$work/counts"
    run calls$flavour 2000 >"$work/out" || status=1
    check calls$flavour 'functions == 2017 and traces[0].header["end"] == "exited"'
    run workers$flavour || status=1
    check workers$flavour 'functions == 40004'
    run forks$flavour || status=1
    check forks$flavour 'functions == 30004'
    run signals$flavour >"$work/out" || status=1
    check signals$flavour 'functions > 1000000'
    head -c 4096 /dev/zero >"$work/counts"
    run happened$flavour "$work/counts" live 300 kill
    check "killed$flavour" 'dict(nothing_lost.steps_by_slot(traces)) == {0: made[0], 1: made[1]}'
done
echo "$($cc -dumpmachine): $(wc -c <"$work/libvprof.so") bytes with symbols"
exit $status
