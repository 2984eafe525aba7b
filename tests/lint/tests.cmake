# Checks of the sources.
set(lint ${CMAKE_CURRENT_SOURCE_DIR}/lint)
foreach(check layers registered rows words twins opens processes)
  add_test(NAME lint/${check}
    COMMAND ${LUA_PROGRAM} ${lint}/${check}.lua ${CMAKE_SOURCE_DIR}/src)
endforeach()
add_test(NAME lint/shape
  COMMAND ${LUA_PROGRAM} ${lint}/shape.lua ${CMAKE_SOURCE_DIR} ${lint}/larger.txt)
add_test(NAME lint/english
  COMMAND ${LUA_PROGRAM} ${lint}/english.lua ${CMAKE_SOURCE_DIR})
add_test(NAME lint/faults COMMAND sh ${lint}/faults.sh ${LUA_PROGRAM} ${lint})
add_test(NAME lint/format COMMAND sh ${lint}/format.sh ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/format.stamp)
set_tests_properties(lint/format PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(lint/layers lint/registered lint/rows lint/words lint/twins lint/opens lint/processes lint/shape lint/english lint/faults lint/format
  PROPERTIES LABELS lint)

# Builds with sanitizers skip the checks that follow, because these do not
# depend on sanitizers: the check of vector code, and that every header compiles
# by itself and twice.
if(CS_SANITIZE)
  return()
endif()
# This check needs the names of all tests, some of which sanitizers omit.
add_test(NAME lint/plants COMMAND ${LUA_PROGRAM} ${lint}/plants.lua ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/names.txt)
set_tests_properties(lint/plants PROPERTIES LABELS lint)
if(TARGET cs_hot_avx2)
  add_test(NAME lint/lanes COMMAND sh ${lint}/lanes.sh
    $<TARGET_OBJECTS:cs_hot_avx2> $<TARGET_OBJECTS:cs_hot_tape_avx2>
    COMMAND_EXPAND_LISTS)
  set_tests_properties(lint/lanes PROPERTIES LABELS lint SKIP_RETURN_CODE 77)
endif()
set(of chainscope_program)
add_test(NAME lint/headers COMMAND ${LUA_PROGRAM} ${lint}/headers.lua
  ${CMAKE_SOURCE_DIR}/src ${CMAKE_CURRENT_BINARY_DIR}/headers.stamp ${CMAKE_C_COMPILER} -std=c17
  "-I$<JOIN:$<TARGET_PROPERTY:${of},INCLUDE_DIRECTORIES>,;-I>"
  "-D$<JOIN:$<TARGET_PROPERTY:${of},COMPILE_DEFINITIONS>,;-D>"
  $<TARGET_PROPERTY:${of},COMPILE_OPTIONS> COMMAND_EXPAND_LISTS)
set_tests_properties(lint/headers PROPERTIES LABELS lint)
