# Canned snapshots drawn without a terminal; UPDATE=1 rewrites the frames.
file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/screen/test_*.c)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  add_executable(screen_${name} ${file})
  target_link_libraries(screen_${name} PRIVATE test_support chainscope_program)
  add_test(NAME screen/${name} COMMAND screen_${name}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/screen)
  set_tests_properties(screen/${name} PROPERTIES LABELS screen TIMEOUT 60)
endforeach()
# Hundreds of frames: no thread, and minutes of a sanitizer.
set_tests_properties(screen/test_every_panel PROPERTIES
  LABELS "screen;slow" TIMEOUT 600)
