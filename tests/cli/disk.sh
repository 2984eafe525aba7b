#!/bin/sh
# usage: disk.sh PROGRAM SCENARIO
# Tests a disk that becomes full. The program gives one clear error, and every
# line that was written is complete and correct. When there is free space again,
# --resume continues the run.
program=$1 scenario=$2
work=$(mktemp -d) || exit 1
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
faults=0
fault() { echo "$*"; faults=1; }
draws() { grep -v "^#" "$1"; }
steps="--steps 3000"

"$program" run "$scenario" $steps --out "$work/whole" >/dev/null || exit 1
for i in 1 2 3; do draws "$work/whole/a_$i.csv" >"$work/a_$i"; done

# check NAME DIR: checks a run that failed with code $got and wrote its stderr
# to err.
check() {
    [ $got -eq 1 ] || fault "$1: exit code $got"
    [ "$(grep -c 'No space left' "$work/err")" -eq 1 ] ||
        fault "$1: not exactly one error: $(cat "$work/err")"
    grep -q 'free disk space' "$work/err" || fault "$1: no remedy is printed"
    for i in 1 2 3; do
        [ -e "$2/a_$i.csv" ] || continue
        [ -z "$(tail -c1 "$2/a_$i.csv")" ] ||
            fault "$1: a_$i.csv ends within a line's middle"
        draws "$2/a_$i.csv" >"$work/b"
        cmp -s -n "$(wc -c <"$work/b")" "$work/a_$i" "$work/b" ||
            fault "$1: the draws of chain $i differ"
    done
}

# resumed NAME DIR: resumes the run when there is free space again, and checks
# that it has the same result as an undisturbed run.
resumed() {
    "$program" run "$scenario" $steps --out "$2" --resume >/dev/null 2>"$work/err" ||
        fault "$1: cannot resume: $(cat "$work/err")"
    for i in 1 2 3; do
        draws "$2/a_$i.csv" | cmp -s - "$work/a_$i" ||
            fault "$1: chain $i: resumed draws differ"
    done
}

# The n-th request to write fails, and so do all later requests.
n=1
while [ $n -le 200 ]; do
    dir=$work/fail_$n
    CHAINSCOPE_IOFAIL=$n "$program" run "$scenario" $steps --out "$dir" \
        >/dev/null 2>"$work/err"
    got=$?
    [ $got -eq 0 ] && break
    check "request $n" "$dir"
    [ -e "$dir/checkpoint" ] && resumed "request $n" "$dir"
    n=$((n + 1 + n / 12 * 2))
done
[ $n -gt 20 ] && [ $n -le 200 ] || fault "$n requests to write: too many"

# Uses a disk that is really full, if the test is allowed to mount one.
mkdir "$work/small"
if mount -t tmpfs -o size=256k tmpfs "$work/small" 2>/dev/null; then
    "$program" run "$scenario" $steps --out "$work/small/run" >/dev/null 2>"$work/err"
    got=$?
    check tmpfs "$work/small/run"
    [ "$(draws "$work/small/run/a_1.csv" | wc -l)" -gt 100 ] ||
        fault "tmpfs: almost no draws were written"
    mount -o remount,size=64m "$work/small" && resumed tmpfs "$work/small/run"
else
    echo "no right to mount: a real full disk was not tried"
fi
exit $faults
