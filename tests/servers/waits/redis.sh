#!/bin/bash
# Debian's redis with an append-only file that is on the disk before a write is answered, SET by 8 clients of
# redis-benchmark; with $CHANGED, a thread of its own syncs it once a second. $FOLDER for the data, $SECONDS_LONG.
# Prints "N a second".
set -e
rm -rf "$FOLDER"
mkdir -p "$FOLDER"
redis-server --dir "$FOLDER" --port 0 --unixsocket "$FOLDER/socket" --save '' --appendonly yes \
    --appendfsync $([ -n "$CHANGED" ] && echo everysec || echo always) >"$FOLDER/server.log" 2>&1 &
server=$!
trap 'kill $server; wait $server || true' EXIT
until redis-cli -s "$FOLDER/socket" ping >/dev/null 2>&1; do sleep 0.1; done
timeout -s INT "${SECONDS_LONG:-10}" redis-benchmark -s "$FOLDER/socket" -t set -d 200 -c 8 -n 100000000 >"$FOLDER/load.log" || true
redis-cli -s "$FOLDER/socket" info commandstats |
    sed -n "s/^cmdstat_set:calls=\([0-9]*\).*/\1/p" | awk -v s="${SECONDS_LONG:-10}" '{ printf "%d a second\n", $1 / s }'
