#!/bin/bash
# A fresh database below the folder it is started in, and puts into it: $LEVELDB_THREADS, $LEVELDB_SECONDS, $LEVELDB_BUFFER
# (write_buffer_size in bytes), $LEVELDB_VALUE (bytes), $LEVELDB_RATE (puts of each thread in a second).
# What is kept of a trace is read again at each look.
export VPROF_TRACE_KEEP=${VPROF_TRACE_KEEP-newest} VPROF_TRACE_CAP_BYTES=${VPROF_TRACE_CAP_BYTES-300000000}
rm -rf run
exec build/load run "${LEVELDB_THREADS:-2}" "${LEVELDB_SECONDS:-20}" "${LEVELDB_BUFFER:-4194304}" "${LEVELDB_VALUE:-1000}" \
    ${LEVELDB_RATE-}
