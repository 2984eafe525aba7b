# The start of a test of the program: sets the program (the first argument), creates a
# working folder that is removed at the end, and defines `fault`, which reports a fault.
# Such a test ends with: exit $faults
program=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0
fault() { echo "$*"; faults=1; }

# exits CODE ARGUMENTS ...: runs the program and checks its exit code; its output is
# written to ./said and ./err.
exits() {
    want=$1
    shift
    "$program" "$@" >said 2>err
    code=$?
    [ $code = "$want" ] || fault "$*: exit $code, not $want: $(head -n 9 said) $(tail -n 3 said) $(cat err)"
}
# says PATTERN: fails unless the output contains the pattern.
says() { grep -q -- "$1" said err || fault "no '$1' in $(head -n 9 said) $(tail -n 3 said) $(cat err)"; }
