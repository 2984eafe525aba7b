# Tests of the program in a real terminal: keys are sent, and cells are
# compared. libvterm is the terminal. Without libvterm these tests are skipped
# with a message.
pkg_check_modules(VTERM IMPORTED_TARGET vterm)
if(VTERM_FOUND)
  add_library(tui_term STATIC tui/term.c)
  target_link_libraries(tui_term PUBLIC test_support chainscope_program
    PkgConfig::VTERM)
  target_compile_definitions(tui_term PUBLIC
    CS_PROGRAM="$<TARGET_FILE:chainscope>")
  target_compile_definitions(tui_term PUBLIC
    CS_HAVE_ZLIB=$<BOOL:${ZLIB_FOUND}> CS_HAVE_SIXEL=$<BOOL:${SIXEL_FOUND}>)
  cs_test_kind(tui ${here}/tui 600 tui_term)
  # This is not a test: it prints the speed of the screen, see bars.c.
  add_executable(tui_bars tui/bars.c)
  target_link_libraries(tui_bars PRIVATE tui_term)
else()
  file(GLOB files CONFIGURE_DEPENDS ${here}/tui/test_*.c)
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME tui/${name} COMMAND ${CMAKE_COMMAND} -E echo
      "skipped: libvterm (libvterm-dev) was not found")
    set_tests_properties(tui/${name} PROPERTIES LABELS tui
      SKIP_REGULAR_EXPRESSION "skipped: ")
  endforeach()
endif()
# Measurements need the whole machine and a build without sanitizers.
set_tests_properties(tui/test_bars PROPERTIES LABELS "tui;speed" RUN_SERIAL ON)
