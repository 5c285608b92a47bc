#!/bin/sh
# artifact.sh LIBVPROF_SO LIBVPROF_A - what goes into strangers' processes: it needs libc only (which
# has pthreads), exports no name, is small, and its archive adds no global name but the runtime's own.
so=$1 archive=$2
for tool in readelf nm strip; do
    command -v $tool >/dev/null && continue
    echo "left out: what is in the library (apt-get install binutils)"
    exit 77
done
status=0
fail() {
    echo "FAILED: $*"
    status=1
}

needed=$(readelf -d "$so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in $needed; do
    case $library in
    libc.so.* | libpthread.so.* | ld-linux*) ;;
    *) fail "it needs $library" ;;
    esac
done

exported=$(nm -D --defined-only "$so" | awk '{print $3}' | grep -v '^vprof_')
[ -z "$exported" ] || fail "it exports $exported"
global=$(nm -g --defined-only "$archive" 2>/dev/null | awk 'NF == 3 {print $3}' | grep -v '^vprof_')
[ -z "$global" ] || fail "the archive brings $global"

stripped=$(mktemp) || exit 2
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$so"
bytes=$(wc -c <"$stripped")
[ "$bytes" -lt 180224 ] || fail "stripped it has $bytes bytes"

echo "needs" $needed"; exports" $(nm -D --defined-only "$so" | wc -l) "names; $bytes bytes stripped"
exit $status
