# Four Debian packages. `cd build && cpack -G DEB` writes them to build/packages.
set(CPACK_PACKAGE_NAME vprofiler)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The vprofiler developers <vprofiler@localhost>" CACHE STRING "Who answers for the packages")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development record tool)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libvprof1)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/packaging/shlibs
                                               ${CMAKE_CURRENT_LIST_DIR}/debian/triggers)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/packaging/shlibs "libvprof 1 libvprof1 (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "runtime of vprofiler
It is preloaded into, or linked with, the program that is measured, and
records what its annotations and probes see.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libvprof-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libvprof1 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "annotations of vprofiler, and its runtime to link with
vprof_api.h marks where a request begins and ends; it needs no library.")

set(CPACK_DEBIAN_RECORD_PACKAGE_NAME vprofiler-record)
set(CPACK_DEBIAN_RECORD_PACKAGE_DEPENDS "libvprof1 (= ${PROJECT_VERSION})")
# It draws the graph of waits.
set(CPACK_DEBIAN_RECORD_PACKAGE_RECOMMENDS graphviz)
set(CPACK_DEBIAN_RECORD_DESCRIPTION "records programs and shows why their latency varies
For machines where programs run that were instrumented or annotated
elsewhere, and where results are read: record, analyze, report, show,
compare, export. It reads no source, and so needs no LLVM.")

# libclang reads the compiler's own headers (stddef.h) from this one.
get_filename_component(libclang_name "${LIBCLANG_INCLUDE}" DIRECTORY)
string(REGEX REPLACE ".*llvm-" "" libclang_major "${libclang_name}")
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME vprofiler)
set(CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS
    "vprofiler-record (= ${PROJECT_VERSION}), libvprof-dev (= ${PROJECT_VERSION}), libclang-common-${libclang_major}-dev")
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS "gcc | clang, libc6-dev, make")
set(CPACK_DEBIAN_TOOL_DESCRIPTION "finds out why the latency of a program varies
It times a few functions of a C or C++ program, takes the variance of its
requests apart over them, and goes one level deeper, until a handful explains
it: which function, which lock and who held it, which queue.")
include(CPack)
