#!/bin/bash
# Started in a folder where memcached was built: it, and two clients ($LOAD: ../load.c), both with whatever is preloaded
# into this script. $MC_SECONDS. What is planted is told by variables of planted.h.
set -e
./memcached -u root -l 127.0.0.1 -p 21315 -U 0 -t 2 -m 64 -c 1024 &
server=$!
trap 'kill $server; wait $server || true' EXIT
"$LOAD" memcached 21315 "${MC_CLIENTS:-2}" "${MC_SECONDS:-3600}" 200
