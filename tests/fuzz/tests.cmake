# Fuzz targets. With CS_FUZZ (clang) each is a libFuzzer program, fuzz_NAME; in
# any case the corpus of each is replayed by a test, as it is and changed in
# ways that are the same every time. A target works in a folder of its own: give
# libFuzzer whole paths (fuzz_json -artifact_prefix=$PWD/ $PWD/corpus), and keep
# what it finds in the corpus here.
set(fuzz ${CMAKE_CURRENT_SOURCE_DIR}/fuzz)
file(GLOB fuzz_files CONFIGURE_DEPENDS ${fuzz}/fuzz_*.c)
foreach(file IN LISTS fuzz_files)
  get_filename_component(name ${file} NAME_WE)
  string(REPLACE "fuzz_" "" part ${name})
  set(programs replay_${part})
  add_executable(replay_${part} ${file} ${fuzz}/files.c ${fuzz}/replay.c)
  if(CS_FUZZ)
    list(APPEND programs ${name})
    add_executable(${name} ${file} ${fuzz}/files.c)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  endif()
  foreach(program IN LISTS programs)
    target_include_directories(${program} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${program} PRIVATE chainscope_program)
  endforeach()
  add_test(NAME fuzz/${part} COMMAND replay_${part} ${fuzz}/corpus/${part} 200 2)
  set_tests_properties(fuzz/${part} PROPERTIES LABELS fuzz TIMEOUT 120)
endforeach()
