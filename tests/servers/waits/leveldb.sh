#!/bin/bash
# Debian's leveldb, 4 threads that put and sync (puts.cc); with $CHANGED, ten puts are one batch. $FOLDER for the
# database, $SECONDS_LONG. Prints "N a second".
set -e
mkdir -p "$FOLDER"
[ "$FOLDER/puts" -nt "$(dirname "$0")/puts.cc" ] ||
    c++ -O2 -g -std=c++17 "$(dirname "$0")/puts.cc" -o "$FOLDER/puts" -lleveldb -lpthread
rm -rf "$FOLDER/db"
exec "$FOLDER/puts" "$FOLDER/db" 4 "${SECONDS_LONG:-10}" $([ -n "$CHANGED" ] && echo 10 || echo 1)
