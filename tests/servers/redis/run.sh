#!/bin/bash
# A fresh server, and $LOAD (a compiled ../load.c) against it. $REDIS_SETTINGS (options of redis-server), $REDIS_MIX (of
# load.c), $REDIS_CLIENTS, $REDIS_SECONDS, $REDIS_KEYS (that it holds beforehand), $REDIS_PORT.
set -e
port=${REDIS_PORT:-21379} src=$PWD/src data=$PWD/run
preload=$LD_PRELOAD
export LD_PRELOAD=
rm -rf "$data"
mkdir "$data"
cd "$data"
LD_PRELOAD=$preload "$src/redis-server" --port "$port" --bind 127.0.0.1 --save '' --appendonly no ${REDIS_SETTINGS-} \
    >server.log 2>&1 &
server=$!
trap 'kill $server; wait $server || true' EXIT
until "$src/redis-cli" -p "$port" ping >/dev/null 2>&1; do sleep 0.1; done
seq "${REDIS_KEYS:-100000}" | sed 's/.*/SET filler& &/' | "$src/redis-cli" -p "$port" >/dev/null
"${LOAD:?}" redis "$port" "${REDIS_CLIENTS:-8}" "${REDIS_SECONDS:-20}" 200 "${REDIS_MIX:-get}"
