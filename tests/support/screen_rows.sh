# The start of a test that reads screens of scenarios from a table (usage: TEST PROGRAM
# SCENARIO). With a sanitizer in the program, `every` is 6: such a test reads only every
# sixth row then, because a screen takes seconds.
. "$(dirname "$0")/../support/begin.sh"
scenarios=$(dirname "$2")/../../scenarios rows=0 lines=0 every=1
! ldd "$program" | grep -q 'lib[at]san' || every=6
