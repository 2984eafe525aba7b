# The kept draws, once for each instruction set (77: this processor lacks it).
add_executable(golden_draws ${CMAKE_CURRENT_SOURCE_DIR}/golden/test_golden.c)
target_link_libraries(golden_draws PRIVATE test_support)
foreach(v IN LISTS variants)
  if(CS_SANITIZE AND v STREQUAL base)
    continue() # as avx2, of the same sources and lanes, and takes minutes there
  endif()
  add_test(NAME golden/${v} COMMAND golden_draws
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(golden/${v} PROPERTIES LABELS golden TIMEOUT 900
    SKIP_RETURN_CODE 77 ENVIRONMENT "CHAINSCOPE_SIMD=${v}")
endforeach()
