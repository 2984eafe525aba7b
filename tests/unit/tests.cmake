# What hot files are made of, for each instruction set: the programs of the
# other tests are compiled for any processor.
foreach(name test_matmul test_vmath)
  foreach(v IN LISTS variants)
    if(v STREQUAL base)
      continue()
    endif()
    add_executable(unit_${name}_${v} unit/${name}.c)
    target_link_libraries(unit_${name}_${v} PRIVATE test_support)
    target_compile_options(unit_${name}_${v} PRIVATE ${cs_flags_${v}})
    add_test(NAME unit/${name}_${v} COMMAND unit_${name}_${v}
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    set_tests_properties(unit/${name}_${v} PROPERTIES
      LABELS unit TIMEOUT 900 SKIP_RETURN_CODE 77)
  endforeach()
endforeach()
