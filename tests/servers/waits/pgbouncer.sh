#!/bin/bash
# postgresql.sh with 8 clients behind Debian's pgbouncer, whose pool is of one connection; with $CHANGED, of eight.
set -e
export CLIENTS=8 FOLDER PGB_SIZE=$([ -n "$CHANGED" ] && echo 8 || echo 1) POOL=$FOLDER/pool.sh
mkdir -p "$FOLDER"
cat >"$FOLDER/pgbouncer.ini" <<EOF
[databases]
postgres = host=$FOLDER port=25441 user=postgres
[pgbouncer]
listen_port = 25442
unix_socket_dir = $FOLDER
listen_addr =
auth_type = any
pool_mode = transaction
default_pool_size = $PGB_SIZE
logfile = $FOLDER/pgbouncer.log
EOF
cat >"$POOL" <<'EOF'
$as /usr/sbin/pgbouncer -q "$FOLDER/pgbouncer.ini" 2>>"$FOLDER/pgbouncer.out" &
pool=$!
trap 'kill -INT $pool; wait $pool || true; kill -INT $server; wait $server || true' EXIT
export PGPORT=25442
until pgbench -n -t 1 -c 1 >/dev/null 2>&1; do sleep 0.1; done
EOF
CHANGED= exec "$(dirname "$0")/postgresql.sh"
