[ -f configure ] || ./autogen.sh
[ -f Makefile ] || ./configure --disable-docs --disable-coverage CFLAGS="-O2 -g $VPROF_CFLAGS"
make -j"$(nproc)" memcached
