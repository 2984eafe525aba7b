# Runs tests/lua/*.lua in plain Lua, which loads the module.
file(GLOB lua_tests CONFIGURE_DEPENDS lua/*.lua)
# Plain Lua is not linked with a sanitizer, so its runtime is preloaded. The
# runtime of gcc 12 guesses where the thread-local data of a loaded library begin;
# a wrong guess ends LeakSanitizer with signal 11, so that guess is switched off.
if(CS_SANITIZE MATCHES address)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so
    OUTPUT_VARIABLE lua_preload OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(lua_preload
    ";LD_PRELOAD=${lua_preload};ASAN_OPTIONS=intercept_tls_get_addr=0")
endif()
if(NOT CS_SANITIZE MATCHES thread)
  foreach(file IN LISTS lua_tests)
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME lua/${name} COMMAND ${LUA_PROGRAM} ${file})
    set_tests_properties(lua/${name} PROPERTIES LABELS lua TIMEOUT 300
      ENVIRONMENT "LUA_PATH=${CMAKE_SOURCE_DIR}/lua/?/init.lua;LUA_CPATH=${CMAKE_BINARY_DIR}/lua/?.so${lua_preload}")
  endforeach()
  # Without the texts of the papers, quotations cannot be checked.
  set_tests_properties(lua/quotes PROPERTIES SKIP_RETURN_CODE 77)
endif()
