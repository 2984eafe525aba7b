# The program as a user meets it: output, messages, exit codes.
file(GLOB cli_tests CONFIGURE_DEPENDS cli/*.sh)
foreach(file IN LISTS cli_tests)
  get_filename_component(name ${file} NAME_WE)
  add_test(NAME cli/${name} COMMAND sh ${file} $<TARGET_FILE:chainscope>
    ${CMAKE_CURRENT_SOURCE_DIR}/cli/two.lua)
  set_tests_properties(cli/${name} PROPERTIES LABELS cli TIMEOUT 1200)
endforeach()
# Runs that are broken off in many ways; laws tried in many runs.
set_tests_properties(cli/stop cli/disk cli/limits cli/check PROPERTIES LABELS "cli;slow" TIMEOUT 1200)
set_tests_properties(cli/start PROPERTIES LABELS "cli;speed" RUN_SERIAL ON)
set_tests_properties(cli/bench_avx512 PROPERTIES LABELS "cli;speed" RUN_SERIAL ON
  SKIP_RETURN_CODE 77 TIMEOUT 1200)
