# Add the modules that you use; what a library is missing for can be left out: --without-http_rewrite_module
# (PCRE), --without-http_gzip_module (zlib).
[ -f objs/Makefile ] || ./configure --with-cc-opt="-O2 -g $VPROF_CFLAGS"
make -j"$(nproc)"
