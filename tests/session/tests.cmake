# Tests of the session and of the program's parts above the core.
file(GLOB session_tests CONFIGURE_DEPENDS session/test_*.c)
foreach(file IN LISTS session_tests)
  get_filename_component(name ${file} NAME_WE)
  add_executable(session_${name} ${file})
  target_link_libraries(session_${name} PRIVATE chainscope_program test_support)
  add_test(NAME session/${name} COMMAND session_${name}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(session/${name} PROPERTIES LABELS session TIMEOUT 60)
endforeach()
# The bars of the bench are those of an instruction set.
foreach(v IN LISTS variants)
  add_test(NAME session/test_bench_${v} COMMAND session_test_bench)
  set_tests_properties(session/test_bench_${v} PROPERTIES LABELS session
    ENVIRONMENT "CHAINSCOPE_SIMD=${v}")
endforeach()
