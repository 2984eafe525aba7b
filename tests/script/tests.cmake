# Tests of the script language: hostile scripts, mistakes, the host.
file(GLOB script_tests CONFIGURE_DEPENDS script/test_*.c)
foreach(file IN LISTS script_tests)
  get_filename_component(name ${file} NAME_WE)
  add_executable(script_${name} ${file})
  target_link_libraries(script_${name} PRIVATE chainscope_program test_support)
  target_compile_definitions(script_${name} PRIVATE
    CS_SCENARIOS="${CMAKE_SOURCE_DIR}/scenarios")
  add_test(NAME script/${name} COMMAND script_${name}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(script/${name} PROPERTIES LABELS script TIMEOUT 60)
endforeach()
