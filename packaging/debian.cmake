# What Debian wants of a package beyond the files, run by cpack between installing and packing them: compressed manual
# pages, a changelog of its form, and why a lintian tag does not apply.
set(staged ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(share ${staged}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
  file(WRITE ${share}/doc/${package}/changelog
       "vprofiler (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * What is new stands in CHANGELOG.md.\n\n"
       " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB pages ${share}/man/man*/*.[0-9])
  execute_process(COMMAND gzip -9nf ${share}/doc/${package}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/overrides.in ${share}/lintian/overrides/${package} @ONLY)
  if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/debian/${package}.overrides)
    file(READ ${CMAKE_CURRENT_LIST_DIR}/debian/${package}.overrides more)
    file(APPEND ${share}/lintian/overrides/${package} "${more}")
  endif()
  file(CHMOD ${share}/lintian/overrides/${package} ${share}/doc/${package}/changelog.gz
       PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
