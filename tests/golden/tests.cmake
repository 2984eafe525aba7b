# Compares the stored draws, once for each instruction set. Exit code 77: not
# supported by this processor.
cs_test_program(golden_tests test_support)
target_sources(golden_tests PRIVATE golden/test_golden.c)
set_property(TARGET golden_tests PROPERTY CS_TESTS test_golden)
foreach(v IN LISTS variants)
  if(CS_SANITIZE AND v STREQUAL base)
    continue() # takes minutes, and has the same sources and lanes as avx2
  endif()
  add_test(NAME golden/${v} COMMAND golden_tests test_golden WORKING_DIRECTORY ${here})
  set_tests_properties(golden/${v} PROPERTIES LABELS golden TIMEOUT 900
    SKIP_RETURN_CODE 77 ENVIRONMENT "CHAINSCOPE_SIMD=${v}")
endforeach()
