# What is measured: CPU time as a ratio to a peer of the same run. Alone on the
# machine, and without a sanitizer, whose time and memory are not the program's.
if(CS_SANITIZE)
  return()
endif()
find_program(LUA_PROGRAM NAMES lua5.4 lua REQUIRED)
file(GLOB speed_tests CONFIGURE_DEPENDS speed/test_*.c)
foreach(file IN LISTS speed_tests)
  get_filename_component(name ${file} NAME_WE)
  add_executable(speed_${name} ${file})
  target_link_libraries(speed_${name} PRIVATE chainscope_program test_support)
  target_compile_definitions(speed_${name} PRIVATE CS_LUA="${LUA_PROGRAM}"
    CS_PROGRAM="$<TARGET_FILE:chainscope>")
  add_dependencies(speed_${name} chainscope)
  add_test(NAME speed/${name} COMMAND speed_${name}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(speed/${name} PROPERTIES LABELS speed RUN_SERIAL ON
    TIMEOUT 1200)
endforeach()
