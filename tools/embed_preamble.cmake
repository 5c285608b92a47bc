# cmake -DAPI=include/vprof_api.h -DPROBE=rewriter/probe.h -DSITE=rewriter/site.h -DOUTPUT=preamble.c
#   -P embed_preamble.cmake
#
# The core of the public header and the rewriter's macros as one C string, those of sites as another,
# without comments and blank lines. Lines are kept as they are otherwise: a macro's definition stays
# one.
function(strip text result)
  string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
  string(REGEX REPLACE "[ \t]+\\\\\n" " \\\\\n" text "${text}")
  string(REGEX REPLACE "[ \t]+\n" "\n" text "${text}")
  string(REGEX REPLACE "\n\n+" "\n" text "${text}")
  string(REGEX REPLACE "^\n+" "" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
function(embed name text)
  string(HEX "${text}" hex)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  file(APPEND "${OUTPUT}.new" "const char ${name}[] = {\n${bytes}0};\n")
endfunction()
file(READ "${API}" api)
string(REGEX REPLACE "^.*/\\* core begins \\*/\n" "" api "${api}")
string(REGEX REPLACE "/\\* core ends \\*/.*$" "" api "${api}")
file(READ "${PROBE}" probe)
strip("${api}\n${probe}" text)
file(READ "${SITE}" site)
strip("${site}" site)
if(NOT text MATCHES "VPROF_CORE_1" OR NOT text MATCHES "VPROF_PROBE_1")
  message(FATAL_ERROR "The core's markers in ${API} are gone.")
endif()
file(WRITE "${OUTPUT}.new" "#include \"rewriter/preamble.h\"\n")
embed(rewriter_preamble "${text}")
embed(rewriter_sites "${site}")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
