# Tests of speed: CPU time as a ratio to that of a peer measured in the same
# run. They need the whole machine, and a build without sanitizers, which use time
# and memory of their own.
if(CS_SANITIZE)
  return()
endif()
cs_test_kind(speed ${here} 1200 chainscope_program test_support)
target_compile_definitions(speed_tests PRIVATE CS_LUA="${LUA_PROGRAM}"
  CS_PROGRAM="$<TARGET_FILE:chainscope>")
set_tests_properties(speed/test_frame speed/test_opening speed/test_start
  speed/test_summary speed/test_windows
  PROPERTIES RUN_SERIAL ON)
