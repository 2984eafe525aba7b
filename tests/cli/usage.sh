#!/bin/sh
# usage: usage.sh PROGRAM
# Tests the command line: output streams, exit codes, and suggested names.
program=$1
out=$(mktemp) && err=$(mktemp) || exit 1
trap 'rm -f "$out" "$err"' EXIT
faults=0

# expect CODE STREAM TEXT ARGUMENTS...: expects the exit code, and TEXT in the
# stream ("none": nothing on stderr).
expect() {
    code=$1 stream=$2 text=$3
    shift 3
    "$program" "$@" >"$out" 2>"$err"
    got=$?
    file=$out
    [ "$stream" = err ] && file=$err
    if [ $got -ne "$code" ]; then
        echo "chainscope $*: exit code $got, want $code"
        faults=1
    elif ! grep -qF -- "$text" "$file"; then
        echo "chainscope $*: no '$text' in std$stream:"
        cat "$file"
        faults=1
    elif [ "$code" -eq 0 ] && [ -s "$err" ]; then
        echo "chainscope $*: succeeds, but complains:"
        cat "$err"
        faults=1
    fi
}

expect 0 out 'usage: chainscope' --help
lines=$("$program" --help | wc -l)
[ "$lines" -le 41 ] || { echo "--help has $lines lines"; faults=1; }
expect 0 out 'vectors:' --version
expect 0 out 'usage: chainscope list' list --help
expect 0 out kernels list
expect 0 out cosine list schedules
expect 0 out 'member  Gibbs' list kernels
expect 0 out 'stretch                  -       Affine' list kernels
expect 0 out 'cannot be a member of a cycle or a mixture: it uses the states' describe stretch
expect 0 out 'can be a member of a cycle or a mixture' describe gibbs
expect 0 out 'schedule cosine' describe cosine
expect 0 out 01_first_walk list scenarios
expect 0 out "edlp       scenarios: 1" list papers
expect 0 out '25 modes' describe 25_modes
expect 1 err "did you mean '25_modes'?" describe 25_mode
expect 1 err "did you mean 'cosine'?" describe cosinus
expect 2 err "did you mean 'schedules'?" list schedule
expect 2 err "did you mean 'list'?" lits
expect 2 err "did you mean '--help'?" list --hlep
expect 2 err 'chainscope describe NAME' describe
expect 2 err "unexpected argument 'b'" describe a b
# Requests that would take hours are refused at the start.
work=$(mktemp -d)
printf '\000\000\010\003\000\000\000\001\000\000\000\001\000\000\000\002ab' >"$work/images"
expect 2 err "rmb has no option --data" train rmb --data a --out b
expect 1 err "rmb" train rmb --out b
expect 2 err 'missing --data' train rbm --out b
expect 2 err 'missing --out' train rbm --data a
expect 1 err 'cannot open the IDX file' train rbm --data "$work/none" --out "$work/b"
expect 1 err 'not of a folder' train rbm --data "$work" --out "$work/b"
expect 1 err 'the name of a regular file' train rbm --data "$work/images" --out "$work"
grep -q '^epoch' "$err" && { echo 'it learns before it knows where to'; faults=1; }
expect 1 err 'the name of a regular file' train rbm --data "$work/images" --out "$work/none/b"
expect 2 err "expected NAME=VALUE, not 'hidden'" train rbm --data "$work/images" --out "$work/b" --set hidden
rm -rf "$work"
expect 2 err 'give a number, such as --seconds 20' check a --seconds 0.5
# Every sub-command has its own help page, and rejects options of other
# sub-commands.
for sub in $("$program" --help | sed -n '/^environment/q; s/^  \([a-z]*\)  .*/\1/p'); do
    expect 0 out "usage: chainscope $sub" "$sub" --help
    expect 2 err "$sub" "$sub" --no-such-option
done
if [ -w /dev/full ]; then
    "$program" list >/dev/full 2>"$err"
    [ $? -eq 1 ] || { echo "a full disk goes unnoticed"; faults=1; }
fi
exit $faults
