# Add the modules that you use; APR and PCRE are found by apr-1-config, apu-1-config and pcre2-config.
[ -f configure ] || ./buildconf
# Debian's source wants a BUILD_DATETIME; others do not look at it.
[ -f config.status ] || ./configure --prefix="$PWD/vprofiler-install" \
    CFLAGS="-O2 -g -DBUILD_DATETIME=__DATE__ $VPROF_CFLAGS"
make -j"$(nproc)"
make install
