# Tests of canned snapshots, rendered without a terminal. UPDATE=1 writes the
# frames again.
cs_test_kind(screen ${here}/screen 300 test_support chainscope_program)
# This test compares hundreds of frames.
set_tests_properties(screen/test_every_panel PROPERTIES TIMEOUT 600)
