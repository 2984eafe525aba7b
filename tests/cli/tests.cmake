# Tests of the program's command line: output, messages and exit codes.
file(GLOB cli_tests CONFIGURE_DEPENDS cli/*.sh)
list(FILTER cli_tests EXCLUDE REGEX bench_ratios)
# MPI's own libraries do not work with sanitizers.
if(NOT MPI_C_FOUND OR NOT MPIEXEC_EXECUTABLE OR CS_SANITIZE)
  list(FILTER cli_tests EXCLUDE REGEX /ranks)
endif()
foreach(file IN LISTS cli_tests)
  get_filename_component(name ${file} NAME_WE)
  add_test(NAME cli/${name} COMMAND sh ${file} $<TARGET_FILE:chainscope>
    ${CMAKE_CURRENT_SOURCE_DIR}/cli/two.lua)
  set_tests_properties(cli/${name} PROPERTIES LABELS cli TIMEOUT 1200 SKIP_RETURN_CODE 77)
endforeach()
# The scenarios of all four papers take minutes, and half an hour with
# sanitizers.
if(CS_SANITIZE)
  set_tests_properties(cli/replicate_papers PROPERTIES ENVIRONMENT "PAPERS=some")
endif()
set(bench_avx2 B01a B04 B12l W1a)
set(bench_avx512 B01a B02b B04 B12r B12l W1a)
foreach(level avx2 avx512)
  add_test(NAME cli/bench_${level} COMMAND sh
    ${CMAKE_CURRENT_SOURCE_DIR}/cli/bench_ratios.sh $<TARGET_FILE:chainscope>
    ${level} ${bench_${level}})
  set_tests_properties(cli/bench_${level} PROPERTIES LABELS "cli;speed"
    RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT 1200)
endforeach()
