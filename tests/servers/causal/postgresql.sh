#!/bin/bash
# Started in a folder that build.sh of ../postgresql has built: a server on a Unix socket, and pgbench against it, both
# with whatever is preloaded into this script. $PG_FOLDER (its data and its socket; in memory, that no disk is measured),
# $PG_CLIENTS, $PG_SECONDS. What is planted is told by variables of planted.h.
set -e
bin=$PWD/installed/bin folder=${PG_FOLDER:-$PWD/run} user=nobody preload=$LD_PRELOAD
data=$folder/data
export PGHOST=$folder PGPORT=25440 PGUSER=postgres PGDATABASE=postgres LD_PRELOAD=
as="setpriv --reuid=$user --regid=nogroup --clear-groups"
mkdir -p "$folder"
chown $user "$folder"
[ -z "$VPROF_TRACE_DIR" ] || chmod -R a+rwX "$VPROF_TRACE_DIR"
if [ ! -f "$folder/filled" ]; then
    rm -rf "$data"
    (
        unset VPROF_TRACE_DIR
        $as "$bin/initdb" -D "$data" -U postgres --no-locale -E UTF8 >"$folder/initdb.log"
        cat >>"$data/postgresql.conf" <<EOF
port = $PGPORT
unix_socket_directories = '$folder'
listen_addresses = ''
shared_buffers = 256MB
max_wal_size = 4GB
checkpoint_timeout = 1h
autovacuum = off
EOF
        $as "$bin/pg_ctl" -w -D "$data" -l "$folder/fill.log" start >/dev/null
        "$bin/pgbench" -q -i -s 10 2>"$folder/fill.out"
        $as "$bin/pg_ctl" -w -D "$data" stop -m fast >/dev/null
    )
    touch "$folder/filled"
fi
rm -f "$data/postmaster.pid"
LD_PRELOAD=$preload $as "$bin/postgres" -D "$data" >"$folder/server.log" 2>&1 &
server=$!
trap 'kill -INT $server; wait $server || true' EXIT
until "$bin/pg_isready" -q; do sleep 0.1; done
LD_PRELOAD=$preload "$bin/pgbench" -n -c "${PG_CLIENTS:-2}" -j 1 -T "${PG_SECONDS:-3600}" -b simple-update@1 -b select-only@2
