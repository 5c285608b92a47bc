#!/bin/bash
# Debian's PostgreSQL 15 on a disk, TPC-B by $CLIENTS (1) of pgbench; with $CHANGED, a commit does not wait for the disk.
# $FOLDER for the data, $SECONDS_LONG. Prints "N a second". Needs root: the server runs as nobody.
set -e
bin=/usr/lib/postgresql/15/bin data=$FOLDER/data
export PGHOST=$FOLDER PGPORT=25441 PGUSER=postgres PGDATABASE=postgres
as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
if [ ! -f "$FOLDER/filled" ]; then
    mkdir -p "$FOLDER"
    chown nobody "$FOLDER"
    $as $bin/initdb -D "$data" -U postgres --no-locale -E UTF8 >"$FOLDER/initdb.log"
    cat >>"$data/postgresql.conf" <<EOF
port = $PGPORT
unix_socket_directories = '$FOLDER'
listen_addresses = ''
shared_buffers = 256MB
max_wal_size = 4GB
checkpoint_timeout = 30min
autovacuum = off
include_if_exists 'case.conf'
EOF
    $as $bin/pg_ctl -w -D "$data" -l "$FOLDER/fill.log" start >/dev/null
    pgbench -q -i -s 10 2>"$FOLDER/fill.out"
    $as $bin/pg_ctl -w -D "$data" stop -m fast >/dev/null
    touch "$FOLDER/filled"
fi
echo "${CHANGED:+synchronous_commit = off}" >"$data/case.conf"
$as $bin/postgres -D "$data" >"$FOLDER/server.log" 2>&1 &
server=$!
trap 'kill -INT $server; wait $server || true' EXIT
until $bin/pg_isready -q; do sleep 0.1; done
if [ -n "$POOL" ]; then . "$POOL"; fi
pgbench -n -c "${CLIENTS:-1}" -j "$([ "${CLIENTS:-1}" = 1 ] && echo 1 || echo 2)" -T "${SECONDS_LONG:-10}" | sed -n 's/^tps = \([0-9]*\).*/\1 a second/p'
