[ -f config.status ] || ./configure --prefix="$PWD/vprofiler-install" --without-icu CFLAGS="-O2 -g $VPROF_CFLAGS"
make -s -j"$(nproc)"
make -s install
