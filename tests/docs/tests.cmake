# What the README, the manual and the completion say, and what is installed.
set(docs ${CMAKE_CURRENT_SOURCE_DIR}/docs)
set(program $<TARGET_FILE:chainscope>)
if(NOT CS_SANITIZE)
  set(stock_lua ${LUA_PROGRAM})
endif()
add_test(NAME docs/manual COMMAND sh ${docs}/manual.sh ${program})
add_test(NAME docs/completion COMMAND bash ${docs}/completion.sh ${program}
  ${CMAKE_SOURCE_DIR}/assets/completions/chainscope)
set_tests_properties(docs/manual docs/completion PROPERTIES LABELS docs TIMEOUT 300)
if(NOT CS_SANITIZE) # where the core is a shared library, for the tests alone
  add_test(NAME docs/install
    COMMAND sh ${docs}/install.sh ${CMAKE_BINARY_DIR} ${stock_lua})
  set_tests_properties(docs/install PROPERTIES LABELS docs TIMEOUT 300)
endif()
if(stock_lua)
  add_test(NAME docs/readme COMMAND ${stock_lua} ${docs}/readme.lua
    ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  add_test(NAME docs/faults COMMAND sh ${docs}/faults.sh ${stock_lua}
    ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  add_test(NAME docs/tutorial COMMAND ${stock_lua} ${docs}/readme.lua
    ${CMAKE_SOURCE_DIR}/assets/tutorial.md ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}
    commands)
  set_tests_properties(docs/readme docs/tutorial docs/faults PROPERTIES LABELS docs
    TIMEOUT 900 ENVIRONMENT "LUA_PATH=${CMAKE_SOURCE_DIR}/lua/?/init.lua;LUA_CPATH=${CMAKE_BINARY_DIR}/lua/?.so")
endif()
# The README's picture, with the command that the README gives.
add_custom_target(picture DEPENDS chainscope
  COMMAND sh ${docs}/picture.sh ${CMAKE_BINARY_DIR}
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
