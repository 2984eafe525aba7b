# Canned snapshots drawn without a terminal; UPDATE=1 rewrites the frames.
cs_test_kind(screen ${here}/screen 300 test_support chainscope_program)
# Hundreds of frames.
set_tests_properties(screen/test_every_panel PROPERTIES TIMEOUT 600)
