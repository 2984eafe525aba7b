# Fuzz targets. Each fuzz_NAME.c contains the reader NAME. A test replays the
# corpus of each reader, unchanged and with reproducible changes. With CS_FUZZ
# (clang) each reader is also a libFuzzer program, fuzz_NAME. It works in a
# temporary folder, so give it absolute paths (fuzz_json -artifact_prefix=$PWD/
# $PWD/corpus), and add its findings to the corpus.
set(fuzz ${here}/fuzz)
file(GLOB fuzz_files CONFIGURE_DEPENDS ${fuzz}/fuzz_*.c)
set(fuzz_support ${fuzz}/files.c ${fuzz}/make_netcdf.c)
if(NETCDF_FOUND)
  set_source_files_properties(${fuzz}/make_netcdf.c PROPERTIES
    COMPILE_DEFINITIONS CS_NETCDF_LIBRARY="${NETCDF_NAME}"
    INCLUDE_DIRECTORIES "${NETCDF_INCLUDE_DIRS}")
endif()
add_executable(replay ${fuzz_files} ${fuzz_support} ${fuzz}/replay.c)
target_include_directories(replay PRIVATE ${here} ${CMAKE_CURRENT_BINARY_DIR}/replay.d)
target_compile_options(replay PRIVATE ${fast_build})
target_link_libraries(replay PRIVATE chainscope_program)
add_dependencies(tests replay)
set(readers)
foreach(file IN LISTS fuzz_files)
  get_filename_component(name ${file} NAME_WE)
  string(REPLACE "fuzz_" "" part ${name})
  string(APPEND readers "READER(${part})\n")
  add_test(NAME fuzz/${part} COMMAND replay ${part} ${fuzz}/corpus/${part} 200 2)
  set_tests_properties(fuzz/${part} PROPERTIES LABELS fuzz TIMEOUT 120)
  if(CS_FUZZ)
    add_executable(${name} ${file} ${fuzz_support} ${fuzz}/libfuzzer.c)
    target_compile_definitions(${name} PRIVATE FUZZ_READER=reader_${part})
    target_include_directories(${name} PRIVATE ${here})
    target_link_libraries(${name} PRIVATE chainscope_program)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  endif()
endforeach()
file(CONFIGURE OUTPUT replay.d/readers.def CONTENT "${readers}")
