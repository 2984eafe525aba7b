#!/bin/sh
# usage: signals.sh PROGRAM SCENARIO
# A sub-command that a signal ends says in one line how far it came and how it
# goes on, and exits with 128 and the signal.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2
term=4000 # of SIGTERM in a mask of /proc

# catches PID: whether it listens to SIGTERM.
catches() {
    mask=$(sed -n 's/^SigCgt:\t//p' "/proc/$1/status" 2>/dev/null)
    [ $((0x${mask:-0} & 0x$term)) -ne 0 ]
}

# works PID: whether its sessions have used 0.2 s of a processor. They have opened
# their scenario by then, or are busy with that, however busy the machine is.
works() {
    used=$(for of in $(pgrep -P $1); do cat "/proc/$of/stat" 2>/dev/null; done |
        sed 's/.*) //' | awk '{ n += $12 + $13 } END { print 100 * n }')
    [ $used -ge $((20 * $(getconf CLK_TCK))) ]
}

is_ready() {
    if [ "$ready" ]; then [ -e "$ready" ]; else works $1; fi
}

# ended SIGNAL CODE TEXT WORDS...: the signal comes once the program listens, and
# where $session is set once it has a session that works, or the file $ready where
# that is given; TEXT is in what it says.
session= ready=
ended() {
    signal=$1 want=$2 text=$3
    shift 3
    "$program" "$@" >"$work/out" 2>"$work/err" <"$work/in" &
    front=$!
    until catches $front || ! kill -0 $front 2>/dev/null; do sleep 0.005; done
    while [ $session ] && ! is_ready $front && kill -0 $front 2>/dev/null; do
        sleep 0.005
    done
    kill -$signal $front
    wait $front
    code=$?
    [ $code = "$want" ] || fault "$*: exit code $code, not $want"
    [ "$(grep -c 'chainscope: ended by' "$work/err")" = 1 ] ||
        fault "$*: not one line says so: $(cat "$work/err")"
    grep -qF -e "$text" "$work/err" || fault "$*: no '$text' in $(cat "$work/err")"
}

: >"$work/in"
long="--steps 900000000"
session=yes
ended TERM 143 'add --out DIR to write them' run "$scenario" $long
ready=$work/run/a_1.csv # there are files, before the run has begun
ended INT 130 "in $work/run; repeat the command with --resume" run "$scenario" $long --out "$work/run"
ready=
ended HUP 129 '0 of 2 runs' sweep "$scenario" --over seed=1,2 $long --out "$work/sweep"
sed 's/steps = [0-9]*/steps = 900000000/' "$scenario" >"$work/long.lua"
echo 'while true do end' >"$work/slow.lua"
sed "s|budget|claims = { { arm = \"a\", stat = \"acceptance\", at_least = 0 } }, budget|" "$work/long.lua" >"$work/claims.lua"
ended TERM 143 "saved in $work/paper; repeat the command with --resume" \
    replicate "$work/claims.lua" --out "$work/paper"
ended TERM 143 'ended by SIGTERM' check "$work/slow.lua"
ended INT 130 'before the picture' shot "$work/long.lua" $long -o "$work/shot.txt"
ended TERM 143 'repeat the command' run "$work/slow.lua"
ended HUP 129 'repeat the command' sbc "$work/slow.lua" --out "$work/sbc"
ended TERM 143 'ended by SIGTERM' report "$scenario" $long -o "$work/report.html"
[ ! -e "$work/shot.txt" ] || fault "half a picture was taken"
[ ! -e "$work/sbc" ] || fault "files of nothing: $(ls "$work/sbc")"
session=
# The whole group is told (timeout): the session leaves it to the front, which asks
# it for the summary of what there is.
timeout 2 "$program" run "$scenario" $long >"$work/out" 2>"$work/err"
code=$?
[ $code = 124 ] || fault "timeout: exit code $code"
grep -q '^  x.1 .*[0-9]' "$work/out" || fault "no summary: $(cat "$work/out" "$work/err")"
grep -q 'of the 900,000,000 steps of the budget were made' "$work/out" ||
    fault "not told how far it came: $(cat "$work/out")"
grep -q 'ended by SIGTERM at step' "$work/err" || fault "$(cat "$work/err")"
mkdir "$work/empty"
ended INT 130 'before the first draws' watch "$work/empty" --wait

# What reads files alone: neither a file nor a part of one is left.
rm -rf "$work/run"
{
    echo 'lp__,x.1,log_weight__'
    yes -- '-1,0.5,-0.25' | head -n 4000000
} >"$work/draws.csv"
"$program" run "$scenario" --steps 1000 --out "$work/a" >/dev/null || fault "run"
rm "$work/a/manifest"
tail -n 1 "$work/a/a_1.csv" | grep -q '^#' && tac "$work/a/a_1.csv" |
    grep -m 1 '^-' >"$work/row"
yes -- "$(cat "$work/row")" | head -n 1000000 >>"$work/a/a_1.csv"
before=$(ls -A "$work")
ended TERM 143 'draws.csv' export "$work/draws.csv" -o "$work/x.jsonl"
ended INT 130 'draws.csv' export "$work/draws.csv" -o "$work/x.nc"
ended HUP 129 'draws.csv' resample "$work/draws.csv" --out "$work/x.csv"
ended TERM 143 'ended by SIGTERM' diff "$work/a" "$work/a" -o "$work/x.txt"
[ "$(ls -A "$work")" = "$before" ] || fault "left: $(ls -A "$work")"
exit $faults
