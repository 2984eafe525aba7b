# The program in a real terminal: keys in, cells compared. libvterm is the
# terminal; where it is not installed these tests are skipped, saying so.
pkg_check_modules(VTERM IMPORTED_TARGET vterm)
file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tui/test_*.c)
if(VTERM_FOUND)
  add_library(tui_term STATIC ${CMAKE_CURRENT_SOURCE_DIR}/tui/term.c)
  target_link_libraries(tui_term PUBLIC test_support chainscope_program
    PkgConfig::VTERM)
  target_compile_definitions(tui_term PUBLIC
    CS_PROGRAM="$<TARGET_FILE:chainscope>")
  add_dependencies(tui_term chainscope)
  # Not a test: prints the bars of the screen, see bars.c.
  add_executable(tui_bars ${CMAKE_CURRENT_SOURCE_DIR}/tui/bars.c)
  target_link_libraries(tui_bars PRIVATE tui_term)
endif()
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  if(VTERM_FOUND)
    add_executable(tui_${name} ${file})
    target_link_libraries(tui_${name} PRIVATE tui_term)
    add_test(NAME tui/${name} COMMAND tui_${name}
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/tui)
  else()
    add_test(NAME tui/${name} COMMAND ${CMAKE_COMMAND} -E echo
      "skipped: libvterm (libvterm-dev) was not found")
    set_tests_properties(tui/${name} PROPERTIES
      SKIP_REGULAR_EXPRESSION "skipped: ")
  endif()
  set_tests_properties(tui/${name} PROPERTIES LABELS tui TIMEOUT 120)
endforeach()
# What is measured wants the machine to itself, and no sanitizer.
set_tests_properties(tui/test_bars PROPERTIES LABELS "tui;speed" RUN_SERIAL ON)
# It waits for the gallery, which opens every scenario: under TSan for longer than
# the test does.
set_tests_properties(tui/test_prompt PROPERTIES LABELS "tui;slow")
