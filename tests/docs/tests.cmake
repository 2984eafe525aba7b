# Tests of the README and the pages of assets/doc, the manual page, the
# completion, and an installation.
set(docs ${CMAKE_CURRENT_SOURCE_DIR}/docs)
set(program $<TARGET_FILE:chainscope>)
if(NOT CS_SANITIZE)
  set(stock_lua ${LUA_PROGRAM})
endif()
add_test(NAME docs/manual COMMAND sh ${docs}/manual.sh ${program})
add_test(NAME docs/completion COMMAND bash ${docs}/completion.sh ${program}
  ${CMAKE_SOURCE_DIR}/assets/completions/chainscope)
set_tests_properties(docs/manual docs/completion PROPERTIES LABELS docs TIMEOUT 300)
if(NOT CS_SANITIZE) # with sanitizers the core is a shared library
  add_test(NAME docs/install
    COMMAND sh ${docs}/install.sh ${CMAKE_BINARY_DIR} ${stock_lua})
  set_tests_properties(docs/install PROPERTIES LABELS docs TIMEOUT 300)
endif()
if(stock_lua)
  # There is one test per page, which runs the commands and looks up the names.
  file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/assets/doc/*.md)
  set(page_tests docs/faults)
  foreach(page ${CMAKE_SOURCE_DIR}/README.md ${pages})
    get_filename_component(name ${page} NAME_WE)
    string(TOLOWER ${name} name)
    list(APPEND page_tests docs/${name})
    add_test(NAME docs/${name} COMMAND ${stock_lua} ${docs}/page.lua ${page}
      ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  endforeach()
  add_test(NAME docs/faults COMMAND sh ${docs}/faults.sh ${stock_lua}
    ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  set_tests_properties(${page_tests} PROPERTIES LABELS docs
    TIMEOUT 900 ENVIRONMENT "LUA_PATH=${CMAKE_SOURCE_DIR}/lua/?/init.lua;LUA_CPATH=${CMAKE_BINARY_DIR}/lua/?.so")
endif()
# Creates the README's picture with the README's command.
add_custom_target(picture DEPENDS chainscope
  COMMAND sh ${docs}/picture.sh ${CMAKE_BINARY_DIR}
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
