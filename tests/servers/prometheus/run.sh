#!/bin/bash
# The service, and $LOAD (a compiled load.cc) against it: $SHOP_CUSTOMERS, $SHOP_RATE (orders a second), $SHOP_SECONDS,
# $SHOP_SCRAPES (of each of two scrapers, in a minute), $SHOP_KEEP (not empty: counters are kept), $SHOP_PORT (and the
# next). $SHOP_BY is what both are started by, as `nice -n -15` on a machine that has other work.
set -e
port=${SHOP_PORT:-21480} customers=${SHOP_CUSTOMERS:-2000}
preload=$LD_PRELOAD
export LD_PRELOAD=
rm -f ready
mkfifo ready
LD_PRELOAD=$preload ${SHOP_BY-} build/service "$port" $((port + 1)) "$customers" ${SHOP_KEEP:+keep} >ready &
service=$!
trap 'kill $service; wait $service || true' EXIT
read -r _ <ready
${SHOP_BY-} "${LOAD:?}" "$port" $((port + 1)) "$customers" 4 "${SHOP_RATE:-400}" "${SHOP_SECONDS:-20}" 2 "${SHOP_SCRAPES:-60}"
