# Tests of metrics with each instruction set. Exit code 77: not supported by
# this processor.
foreach(v IN LISTS variants)
  add_test(NAME law/metric_${v} COMMAND law_tests test_metric
    WORKING_DIRECTORY ${here})
  set_tests_properties(law/metric_${v} PROPERTIES LABELS law TIMEOUT 900
    SKIP_RETURN_CODE 77 ENVIRONMENT "CHAINSCOPE_SIMD=${v}")
endforeach()
