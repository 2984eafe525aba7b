# What a test of the program begins with: the program, which is its first argument,
# a folder to work in, which is removed in the end, and how it says a fault. It ends
# with: exit $faults
program=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0
fault() { echo "$*"; faults=1; }

# exits CODE ARGUMENTS ...: of the program; what it prints goes to ./said and ./err.
exits() {
    want=$1
    shift
    "$program" "$@" >said 2>err
    code=$?
    [ $code = "$want" ] || fault "$*: exit $code, not $want: $(head -n 9 said) $(tail -n 3 said) $(cat err)"
}
# says PATTERN: in either of these.
says() { grep -q -- "$1" said err || fault "no '$1' in $(head -n 9 said) $(tail -n 3 said) $(cat err)"; }
