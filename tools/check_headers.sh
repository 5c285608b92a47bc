#!/bin/sh
# check_headers.sh - does every header compile alone? Prints the ones that do not and exits 1.
cd "$(dirname "$0")/.." || exit 2
status=0
# libclang's own headers, beside the newest library, as rewriter/CMakeLists.txt has it.
# shellcheck disable=SC2012
libclang=$(ls -d /usr/lib/llvm-*/include 2>/dev/null | sort -V | tail -1)
for header in $(git ls-files -- '*.h' ':!tests/*' ':!examples/*'); do
    case $header in
    rewriter/probe.h) prefix='-include vprof_api.h' ;; # a text for the user's files, after its core
    rewriter/site.h) prefix='-include vprof_api.h -include rewriter/probe.h' ;; # and after that one
    rewriter/clang/*) prefix="-isystem $libclang" ;;
    *) prefix= ;;
    esac
    for compiler in gcc clang; do
        # shellcheck disable=SC2086
        echo "#include \"$header\"" |
            $compiler -std=gnu11 -D_GNU_SOURCE -I. -Iinclude $prefix \
                -Wall -Wextra -Werror -fsyntax-only -x c - || {
            echo "$header does not compile alone with $compiler"
            status=1
        }
    done
done
exit $status
