#!/bin/bash
# A fresh server on a Unix socket, and pgbench against it. $PG_SCALE, $PG_CLIENTS, $PG_SECONDS, $PG_LOAD (options of
# pgbench), $PG_SETTINGS (lines of postgresql.conf), $PG_PRELOAD (a library for the server), $PG_FOLDER (for
# its data and its socket: run). $PG_FOLDER/loaded is there when the load begins.
set -e
bin=$PWD/installed/bin folder=${PG_FOLDER:-$PWD/run} user=nobody
data=$folder/data
export PGHOST=$folder PGPORT=25439 PGUSER=postgres PGDATABASE=postgres
# A backend with 600 functions timed writes 9 MB a second, and what is kept is read again at each look.
export VPROF_TRACE_KEEP=${VPROF_TRACE_KEEP-newest} VPROF_TRACE_CAP_BYTES=${VPROF_TRACE_CAP_BYTES-300000000}
preload=$LD_PRELOAD${PG_PRELOAD:+:$PG_PRELOAD}
export LD_PRELOAD=
as="setpriv --reuid=$user --regid=nogroup --clear-groups"
as_user() { $as "$@"; }
mkdir -p "$folder"
[ -z "$VPROF_TRACE_DIR" ] || chmod -R a+rwX "$VPROF_TRACE_DIR"
chown $user "$folder"
scale=${PG_SCALE:-10}
if [ "$(cat "$data/filled" 2>/dev/null)" != "$scale" ]; then
    rm -rf "$data"
    (unset VPROF_TRACE_DIR; as_user "$bin/initdb" -D "$data" -U postgres --no-locale -E UTF8 >"$folder/initdb.log")
    cat >>"$data/postgresql.conf" <<EOF
port = $PGPORT
unix_socket_directories = '$folder'
listen_addresses = ''
shared_buffers = 256MB
max_wal_size = 4GB
checkpoint_timeout = 30min
autovacuum = off
EOF
    (unset VPROF_TRACE_DIR; as_user "$bin/pg_ctl" -w -D "$data" -l "$folder/fill.log" start >/dev/null)
    "$bin/pgbench" -q -i -s "$scale" 2>"$folder/fill.out"
    as_user "$bin/pg_ctl" -w -D "$data" stop -m fast >/dev/null
    echo "$scale" >"$data/filled"
fi
echo "${PG_SETTINGS-}" >"$data/case.conf"
grep -q case.conf "$data/postgresql.conf" || echo "include 'case.conf'" >>"$data/postgresql.conf"
# No shell in between: the signal is for the server.
LD_PRELOAD=$preload $as "$bin/postgres" -D "$data" >"$folder/server.log" 2>&1 &
server=$!
trap 'kill -INT $server; wait $server || true' EXIT
until "$bin/pg_isready" -q; do sleep 0.1; done
touch "$folder/loaded"
"$bin/pgbench" -n -c "${PG_CLIENTS:-8}" -j 2 -T "${PG_SECONDS:-30}" ${PG_LOAD-}
