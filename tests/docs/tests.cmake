# What the README, the manual and the completion say, and what is installed.
set(docs ${CMAKE_CURRENT_SOURCE_DIR}/docs)
set(program $<TARGET_FILE:chainscope>)
if(NOT CS_SANITIZE)
  find_program(LUA_PROGRAM NAMES lua5.4 lua)
  set(stock_lua ${LUA_PROGRAM})
endif()
add_test(NAME docs/install
  COMMAND sh ${docs}/install.sh ${CMAKE_BINARY_DIR} ${stock_lua})
add_test(NAME docs/manual COMMAND sh ${docs}/manual.sh ${program})
add_test(NAME docs/completion COMMAND bash ${docs}/completion.sh ${program}
  ${CMAKE_SOURCE_DIR}/assets/completions/chainscope)
set_tests_properties(docs/install docs/manual docs/completion
  PROPERTIES LABELS docs TIMEOUT 60)
