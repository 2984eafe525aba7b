# What a test of the program begins with: the program, which is its first argument,
# a folder to work in, which is removed in the end, and how it says a fault. It ends
# with: exit $faults
program=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0
fault() { echo "$*"; faults=1; }
