#!/bin/sh
# Builds the server of redis in the folder it is started in.
set -e
make -s -j2 -C src MALLOC=libc OPTIMIZATION=-O2 BUILD_TLS=no redis-server redis-cli
