#!/bin/bash
# All long checks of servers, one after the other on a machine that does nothing else: some two and a half hours.
#
#     all.sh BUILD WORK DATA [STEP...]
#
# BUILD is where vprofiler was built; WORK a folder in memory (/dev/shm/servers, 10 GB), DATA one on a disk. What is in
# WORK from an earlier run is used again: empty it to begin from nothing. Each step's output goes to DATA/STEP.log; a line
# for each says its exit status and its minutes. Steps are run in the order of the list below; exits 1 where one fails.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1") work=$(realpath -m "$2") data=$(realpath -m "$3")
shift 3
vprofiler=$build/bin/vprofiler postgresql=$here/postgresql
mkdir -p "$work" "$data"

truth() { python3 "$postgresql/check.py" "$vprofiler" --work "$work/pg" --data "$data/pg" --times 5 --seconds 14 --settings "$1"; }
# On memory that was in use before: what a guest takes anew from its host is dear.
overhead() {
    python3 "$here/../bench/warm_memory.py" 8000 python3 "$postgresql/overhead_clients.py" --starts 16 --turns 8 --load "$1" \
        "$build" "$work/pg/plain" "$work/pg/$2/001" "$data/overhead"
}
# The loop that builds the program anew each round, and its fix: what takes the disk out of the commit.
recompile() {
    PG_FOLDER=$data/pg PG_SECONDS=25 "$vprofiler" iterate --auto --k 3 --max-rounds 4 --keep --build "$postgresql/build.sh" \
        --run "$postgresql/run.sh" --config "$postgresql/vprofiler.json" --source "$work/pg/tree" --out "$work/loop"
}
fix() {
    cd "$work/loop/latest/tree" || return
    local table
    table=$(ls -d ../rounds/*/functions.json | tail -n 1)
    PG_FOLDER=$data/pg PG_SCALE=1 PG_SECONDS=6 "$vprofiler" compare --ab --rounds 6 --functions-a "$table" --functions-b "$table" \
        --run-a "$postgresql/run.sh" --run-b "PG_SETTINGS='synchronous_commit = off' $postgresql/run.sh"
}
own_tests() { python3 "$postgresql/make_check.py" "$build" "$work/pg/plain" "$work/pg/select/001" "$data/make_check"; }

step() {
    case $1 in
    tpcb | rows | select | slow) truth "$1" ;;
    overhead-tpcb) overhead tpc-b tpcb ;;
    overhead-select) overhead select-only select ;;
    recompile | fix) "$1" ;;
    stacks) python3 "$here/stacks_against_iterate.py" "$vprofiler" "$data/stacks" ;;
    stacks-cost) python3 "$here/stacks_cost.py" "$vprofiler" "$data/stacks-cost" ;;
    make-check) own_tests ;;
    redis | leveldb | memcached | prometheus) python3 "$here/$1/check.py" "$vprofiler" "$data/$1" ;; # redis and leveldb sync what they write
    kernel) python3 "$here/kernel_check.py" "$vprofiler" "$data/kernel" ;;
    *) echo "there is no step $1" && return 2 ;;
    esac
}

[ $# -gt 0 ] || set -- tpcb overhead-tpcb select overhead-select rows slow recompile fix redis leveldb memcached prometheus kernel stacks stacks-cost make-check
failed=0
for name; do
    start=$SECONDS
    (step "$name") >"$data/$name.log" 2>&1
    status=$?
    [ $status = 0 ] || failed=1
    echo "$name: exit $status, $(((SECONDS - start + 30) / 60)) min, $data/$name.log"
done
exit $failed
