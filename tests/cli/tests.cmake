# The program as a user meets it: output, messages, exit codes.
add_test(NAME cli/usage COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/usage.sh
  $<TARGET_FILE:chainscope>)
set_tests_properties(cli/usage PROPERTIES LABELS cli TIMEOUT 60)
add_test(NAME cli/run COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.sh
  $<TARGET_FILE:chainscope> ${CMAKE_CURRENT_SOURCE_DIR}/cli/two.lua)
set_tests_properties(cli/run PROPERTIES LABELS cli TIMEOUT 60)
