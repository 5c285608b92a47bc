#include "driver/init/build_kind.h"

#include <stddef.h>

#include "base/file.h"

#define FLAGS "\"-O2 -g $VPROF_CFLAGS\""
#define MAKE "make -j\"$(nproc)\"\n"
#define CONFIGURED "[ -f config.status ] || ./configure CFLAGS=" FLAGS " CXXFLAGS=" FLAGS "\n" MAKE
/* What an earlier configure left in the tree may be of another day. */
#define CONFIGURED_ANEW                                                                            \
    "[ -f vprofiler-configured ] || ./configure CFLAGS=" FLAGS " CXXFLAGS=" FLAGS "\n"             \
    ": > vprofiler-configured\n" MAKE

static const struct build_kind kinds[] = {
    {"configure", "autotools", CONFIGURED},
    {"configure", "autotools, configured anew", CONFIGURED_ANEW},
    {"configure", "a configure that takes compiler flags by an option",
     "./configure --with-cc-opt=" FLAGS "\n" MAKE},
    {"configure", "a configure that takes compiler flags from the environment",
     "CFLAGS=" FLAGS " CXXFLAGS=" FLAGS " ./configure\n" MAKE},
    {"configure", "a configure that takes no compiler flags", "./configure\n" MAKE},
    {"CMakeLists.txt", "CMake",
     "cmake -S . -B vprofiler-build -DCMAKE_BUILD_TYPE=RelWithDebInfo \\\n"
     "      -DCMAKE_C_FLAGS=\"$VPROF_CFLAGS\" -DCMAKE_CXX_FLAGS=\"$VPROF_CFLAGS\"\n"
     "cmake --build vprofiler-build -j\"$(nproc)\"\n"},
    {"meson.build", "Meson",
     "[ -d vprofiler-build ] || CFLAGS=\"$VPROF_CFLAGS\" CXXFLAGS=\"$VPROF_CFLAGS\" \\\n"
     "    meson setup vprofiler-build --buildtype=debugoptimized\n"
     "ninja -C vprofiler-build\n"},
    {"configure.ac", "autotools", "[ -f configure ] || autoreconf -fi\n" CONFIGURED},
#define MADE                                                                                       \
    "# What the Makefile sets in CFLAGS goes here too: this replaces it.\n"                        \
    "make -j\"$(nproc)\" CFLAGS=" FLAGS " CXXFLAGS=" FLAGS "\n"
    {"GNUmakefile", "make", MADE},
    {"makefile", "make", MADE},
    {"Makefile", "make", MADE},
    {"GNUmakefile", "make, with the flags of its own", MAKE},
    {"makefile", "make, with the flags of its own", MAKE},
    {"Makefile", "make, with the flags of its own", MAKE},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const struct build_kind *build_kind_next(const char *source, const struct build_kind *before)
{
    const struct build_kind *kind = before ? before + 1 : kinds;
    for (bool found = false; kind < kinds + KINDS && !found; kind += !found) {
        struct str path = {0};
        path_join(&path, source, kind->file);
        found = file_exists(path.data);
        str_release(&path);
    }
    return kind < kinds + KINDS ? kind : NULL;
}

const struct build_kind *build_kind_ready(void)
{
    static const struct build_kind ready = {"", "its ready script", ""};
    return &ready;
}

const struct build_kind *build_kind_unknown(void)
{
    static const struct build_kind unknown = {
        "", "no build that is known here",
        "echo 'build.sh: write here how the program is built' >&2\nexit 1\n"};
    return &unknown;
}
