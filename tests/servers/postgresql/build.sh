#!/bin/sh
# Builds PostgreSQL in the folder it is started in, and installs it below it.
set -e
[ -f config.status ] ||
    ./configure --prefix="$PWD/installed" --without-icu --without-readline --without-zlib --enable-debug \
        CFLAGS="-O2 -g" >configure.out
make -s -j2
make -s install prefix="$PWD/installed"
make -s -C contrib/pg_stat_statements install prefix="$PWD/installed"
