# Tests of the script language: hostile scripts, mistakes, and the host.
cs_test_kind(script ${here} 300 chainscope_program test_support)
target_compile_definitions(script_tests PRIVATE
  CS_SCENARIOS="${CMAKE_SOURCE_DIR}/scenarios")
# test_read compares two runs for each figure. test_programs runs thousands of
# programs, and runs them again with each derivative falsified.
set_tests_properties(script/test_read script/test_programs PROPERTIES TIMEOUT 300)
# The claims of every scenario have the expected verdicts: one test per file.
file(GLOB scenarios CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scenarios/*/*.lua)
if(CS_SANITIZE) # the claims would take hours, so a few steps are run
  set(scenarios)
  add_test(NAME script/gallery COMMAND sh
    ${CMAKE_CURRENT_SOURCE_DIR}/script/gallery.sh $<TARGET_FILE:chainscope>)
  set_tests_properties(script/gallery PROPERTIES LABELS "script" TIMEOUT 900)
endif()
foreach(file IN LISTS scenarios)
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(folder ${folder} NAME)
  add_test(NAME scenario/${folder}/${name}
    COMMAND script_tests test_scenarios ${file})
  set_tests_properties(scenario/${folder}/${name} PROPERTIES LABELS scenario
    TIMEOUT 300)
endforeach()
# Goes through each lesson of the course with right and wrong answers. Another
# seed draws other numbers; sanitizers need no second seed.
set(seeds 2)
if(CS_SANITIZE)
  set(seeds 1)
endif()
file(GLOB lessons CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scenarios/course/*.lua)
foreach(file IN LISTS lessons)
  get_filename_component(name ${file} NAME_WE)
  add_test(NAME course/${name} COMMAND chainscope course --check ${file}
    --seeds ${seeds})
  set_tests_properties(course/${name} PROPERTIES LABELS scenario TIMEOUT 120
    ENVIRONMENT "XDG_STATE_HOME=${CMAKE_BINARY_DIR}/Testing/state")
endforeach()
# Runs two example scenarios in the program. (tests/lua runs them in plain Lua.)
add_test(NAME script/two_islands COMMAND chainscope run
  ${CMAKE_CURRENT_SOURCE_DIR}/lua/two_islands.lua)
set_tests_properties(script/two_islands PROPERTIES LABELS script TIMEOUT 120
  PASS_REGULAR_EXPRESSION "acs +modes_visited +25 .*holds.*dmala +modes_visited")
add_test(NAME script/banana COMMAND chainscope run
  ${CMAKE_CURRENT_SOURCE_DIR}/lua/banana.lua)
set_tests_properties(script/banana PROPERTIES LABELS script TIMEOUT 60
  PASS_REGULAR_EXPRESSION "900 steps, seed 1.*4 log densities, 3604 gradients")
