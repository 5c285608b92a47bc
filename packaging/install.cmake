# Where everything goes. Nothing that is installed knows the prefix: the command finds its parts from
# its own place, pkg-config and CMake from that of their files.
set(lib ${CMAKE_INSTALL_LIBDIR})
set(doc ${CMAKE_INSTALL_DATADIR}/doc)
set(program OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# In the build folder the parts lie as they do when installed.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/vprofiler)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/examples ${CMAKE_BINARY_DIR}/share/vprofiler/examples SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/driver/init/ready ${CMAKE_BINARY_DIR}/share/vprofiler/ready SYMBOLIC)

# ---- libvprof1 ----
install(TARGETS vprof_shared EXPORT vprofiler
        LIBRARY DESTINATION ${lib} COMPONENT runtime NAMELINK_COMPONENT development)

# ---- libvprof-dev ----
add_library(vprof_api INTERFACE)
target_include_directories(vprof_api INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(vprof_api PROPERTIES EXPORT_NAME api)
set_target_properties(vprof_shared PROPERTIES EXPORT_NAME shared)
set_target_properties(vprof_static PROPERTIES EXPORT_NAME archive)
install(TARGETS vprof_api vprof_static EXPORT vprofiler ARCHIVE DESTINATION ${lib} COMPONENT development)
install(FILES include/vprof_api.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

include(CMakePackageConfigHelpers)
set(package ${lib}/cmake/vprofiler)
configure_package_config_file(packaging/vprofiler-config.cmake.in packaging/vprofiler-config.cmake
                              INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(packaging/vprofiler-config-version.cmake COMPATIBILITY SameMajorVersion)
install(EXPORT vprofiler NAMESPACE vprofiler:: FILE vprofiler-targets.cmake DESTINATION ${package}
        COMPONENT development)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/packaging/vprofiler-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/packaging/vprofiler-config-version.cmake
        DESTINATION ${package} COMPONENT development)

file(RELATIVE_PATH prefix_of_pc /${lib}/pkgconfig /)
foreach(name vprof-api vprof vprof-static)
  configure_file(packaging/${name}.pc.in packaging/${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/packaging/${name}.pc DESTINATION ${lib}/pkgconfig
          COMPONENT development)
endforeach()

# ---- vprofiler-record: all that is done without reading source ----
install(TARGETS vprofiler RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT record)
install(DIRECTORY docs/sql DESTINATION ${CMAKE_INSTALL_DATADIR}/vprofiler COMPONENT record)

# ---- vprofiler ----
install(TARGETS vprof_record vprof_clang LIBRARY DESTINATION ${lib}/vprofiler COMPONENT tool)
install(TARGETS vprof_wrap LIBRARY DESTINATION ${lib}/vprofiler COMPONENT record)
install(DIRECTORY driver/init/ready DESTINATION ${CMAKE_INSTALL_DATADIR}/vprofiler COMPONENT tool)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/vprofiler COMPONENT tool PATTERN .gitignore EXCLUDE
        PATTERN build.sh PERMISSIONS ${program})
install(FILES README.md DESTINATION ${doc}/vprofiler COMPONENT tool)
install(DIRECTORY docs DESTINATION ${doc}/vprofiler COMPONENT tool)

# The trace format's page is written in Markdown, one level below what a manual page wants; without
# lowdown it is installed as that alone.
find_program(LOWDOWN lowdown)
if(LOWDOWN)
  set(page ${CMAKE_BINARY_DIR}/printed/vprofiler-trace.5)
  add_custom_command(OUTPUT ${page} VERBATIM DEPENDS docs/vprofiler-trace.5.md
    COMMAND sh -c "sed -e 1d -e 's/^##/#/' \"$1\" | \"$2\" -s -Tman --parse-no-intraemph -M section=5 \
      -M title=vprofiler-trace -M source=vprofiler -o \"$3\"" -
      ${CMAKE_SOURCE_DIR}/docs/vprofiler-trace.5.md ${LOWDOWN} ${page})
  add_custom_target(trace_page ALL DEPENDS ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT record)
endif()

# ---- all ----
# What is installed, without the tests.
add_custom_target(installed DEPENDS printed)
add_dependencies(installed vprofiler)
if(LOWDOWN)
  add_dependencies(installed trace_page)
endif()
foreach(component IN ITEMS runtime:libvprof1 development:libvprof-dev record:vprofiler-record tool:vprofiler)
  string(REPLACE ":" ";" component ${component})
  list(GET component 1 name)
  list(GET component 0 component)
  install(FILES LICENSE RENAME copyright DESTINATION ${doc}/${name} COMPONENT ${component})
  install(FILES CHANGELOG.md DESTINATION ${doc}/${name} COMPONENT ${component})
endforeach()
