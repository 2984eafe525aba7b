# Tests of the session and of the parts of the program above the core.
cs_test_kind(session ${here} 300 chainscope_bench test_support)
# The requirements of the bench depend on the instruction set.
foreach(v IN LISTS variants)
  add_test(NAME session/test_bench_${v} COMMAND session_tests test_bench)
  set_tests_properties(session/test_bench_${v} PROPERTIES LABELS session
    SKIP_RETURN_CODE 77 ENVIRONMENT "CHAINSCOPE_SIMD=${v}")
endforeach()
