#!/bin/sh
# all.sh BUILD JOBS - every test, then what some of them had to leave out, and what to install for it.
#
# Those that look at who has the processors (label `alone`) have the machine, one after the other. Those that wait more
# than they compute (label `waits`) run five to a processor, before the rest, as they take longest. What fails is tried
# once more, and is told: many look at clocks while others have the processors.
cd "$(dirname "$0")/.." || exit 2
build=$1 jobs=$2
status=0

run() {
    results=$1
    shift
    ctest --test-dir "$build" --output-on-failure --test-output-size-passed 1000000 \
        --repeat until-pass:2 --output-junit "$results" "$@" || status=1
}

run alone.xml -L alone -j 1
run waiting.xml -L waits -j $((5 * jobs))
run working.xml -LE 'alone|waits' -j "$jobs"
python3 tests/left_out.py "$build/alone.xml" "$build/waiting.xml" "$build/working.xml" || status=1
exit $status
