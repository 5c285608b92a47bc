#!/bin/bash
# A fresh database below the folder it is started in, and puts into it: $LEVELDB_THREADS, $LEVELDB_SECONDS, $LEVELDB_BUFFER
# (write_buffer_size in bytes), $LEVELDB_RATE (puts of each thread in a second).
rm -rf run
exec build/load run "${LEVELDB_THREADS:-2}" "${LEVELDB_SECONDS:-20}" "${LEVELDB_BUFFER:-4194304}" ${LEVELDB_RATE-}
