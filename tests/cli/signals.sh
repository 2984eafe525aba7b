#!/bin/sh
# usage: signals.sh PROGRAM SCENARIO
# Tests that a sub-command which is ended by a signal prints one line with its
# progress and how to continue. Its exit code is 128 plus the number of the
# signal.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2
term=4000 # the bit of SIGTERM in a signal mask of /proc (hexadecimal)

# catches PID: succeeds if the process handles SIGTERM.
catches() {
    mask=$(sed -n 's/^SigCgt:\t//p' "/proc/$1/status" 2>/dev/null)
    [ $((0x${mask:-0} & 0x$term)) -ne 0 ]
}

# works PID: true if the sessions of the process have used 0.2 s of CPU time. By
# then they have opened their scenario or are opening it, however loaded the
# machine is.
works() {
    used=$(for of in $(pgrep -P $1); do cat "/proc/$of/stat" 2>/dev/null; done |
        sed 's/.*) //' | awk '{ n += $12 + $13 } END { print 100 * n }')
    [ $used -ge $((20 * $(getconf CLK_TCK))) ]
}

is_ready() {
    if [ "$ready" ]; then [ -e "$ready" ]; else works $1; fi
}

# ended SIGNAL CODE TEXT WORDS...: sends the signal when the program handles it.
# If $session is set, it first waits for a session that works; if $ready is set,
# for that file. The output must contain TEXT.
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
        fault "$*: no single line reports it: $(cat "$work/err")"
    grep -qF -e "$text" "$work/err" || fault "$*: no '$text' in $(cat "$work/err")"
}

: >"$work/in"
long="--steps 900000000"
session=yes
ended TERM 143 'add --out DIR to write them' run "$scenario" $long
ready=$work/run/a_1.csv # the files exist before the run starts
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
[ ! -e "$work/shot.txt" ] || fault "an incomplete frame was written"
[ ! -e "$work/sbc" ] || fault "empty files: $(ls "$work/sbc")"
session=
# The whole process group receives the signal (timeout). The session leaves it
# to the front, which requests a summary of the results so far.
timeout 2 "$program" run "$scenario" $long >"$work/out" 2>"$work/err"
code=$?
[ $code = 124 ] || fault "timeout: exit code $code"
grep -q '^  x.1 .*[0-9]' "$work/out" || fault "no summary: $(cat "$work/out" "$work/err")"
grep -q 'of the 900,000,000 steps of the budget were made' "$work/out" ||
    fault "the progress is not reported: $(cat "$work/out")"
grep -q 'ended by SIGTERM at step' "$work/err" || fault "$(cat "$work/err")"
mkdir "$work/empty"
ended INT 130 'before the first draws' watch "$work/empty" --wait

# Commands that only read files leave no file, not even an incomplete one.
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
[ "$(ls -A "$work")" = "$before" ] || fault "remaining: $(ls -A "$work")"
exit $faults
