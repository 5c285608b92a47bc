#!/bin/bash
# A fresh server on a Unix socket, and pgbench against it. $PG_SCALE, $PG_CLIENTS, $PG_SECONDS, $PG_LOAD (options of
# pgbench), $PG_SETTINGS (lines of postgresql.conf), $PG_PRELOAD (a library for the server). run/loaded is there when
# the load begins.
set -e
bin=$PWD/installed/bin data=$PWD/run/data user=nobody
export PGHOST=$PWD/run PGPORT=25439 PGUSER=postgres PGDATABASE=postgres
# A backend with 600 functions timed writes 9 MB a second, and what is kept is read again at each look.
export VPROF_TRACE_KEEP=${VPROF_TRACE_KEEP-newest} VPROF_TRACE_CAP_BYTES=${VPROF_TRACE_CAP_BYTES-300000000}
preload=$LD_PRELOAD${PG_PRELOAD:+:$PG_PRELOAD}
export LD_PRELOAD=
as="setpriv --reuid=$user --regid=nogroup --clear-groups"
as_user() { $as "$@"; }
mkdir -p run
[ -z "$VPROF_TRACE_DIR" ] || chmod -R a+rwX "$VPROF_TRACE_DIR"
chown $user run
if [ ! -e "$data/filled" ]; then
    rm -rf "$data"
    (unset VPROF_TRACE_DIR; as_user "$bin/initdb" -D "$data" -U postgres --no-locale -E UTF8 >run/initdb.log)
    cat >>"$data/postgresql.conf" <<EOF
port = $PGPORT
unix_socket_directories = '$PWD/run'
listen_addresses = ''
shared_buffers = 256MB
max_wal_size = 4GB
checkpoint_timeout = 30min
autovacuum = off
EOF
    (unset VPROF_TRACE_DIR; as_user "$bin/pg_ctl" -w -D "$data" -l run/fill.log start >/dev/null)
    "$bin/pgbench" -q -i -s "${PG_SCALE:-10}" 2>run/fill.out
    as_user "$bin/pg_ctl" -w -D "$data" stop -m fast >/dev/null
    touch "$data/filled"
fi
echo "${PG_SETTINGS-}" >"$data/case.conf"
grep -q case.conf "$data/postgresql.conf" || echo "include 'case.conf'" >>"$data/postgresql.conf"
# No shell in between: the signal is for the server.
LD_PRELOAD=$preload $as "$bin/postgres" -D "$data" >run/server.log 2>&1 &
server=$!
trap 'kill -INT $server; wait $server || true' EXIT
until "$bin/pg_isready" -q; do sleep 0.1; done
touch run/loaded
"$bin/pgbench" -n -c "${PG_CLIENTS:-8}" -j 2 -T "${PG_SECONDS:-30}" ${PG_LOAD-}
