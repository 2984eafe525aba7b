#!/bin/sh
# usage: ended.sh PROGRAM SCENARIO
# Tests that, if the process that should answer is killed, this is not mistaken
# for an empty answer.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2

# A gallery with a scenario that takes seconds to read, in C code that Lua's
# limits do not interrupt.
home=$work/share/chainscope
mkdir -p "$work/bin" "$home/scenarios/paper"
cp "$program" "$work/bin/chainscope"
ln -s "$(cd "$(dirname "$0")/../.." && pwd)/lua" "$home/lua"
slow=$home/scenarios/paper/slow.lua
echo 'string.find(("a"):rep(3000), ("a*"):rep(12) .. "b") return 1' >"$slow"

# killed CODE WORDS...: kills the session before it can answer. The output is in
# $work/out and $work/err.
killed() {
    want=$1
    shift
    "$work/bin/chainscope" "$@" >"$work/out" 2>"$work/err" &
    front=$!
    until session=$(pgrep -P $front) || ! kill -0 $front 2>/dev/null; do
        sleep 0.01
    done
    kill -KILL $session
    wait $front
    code=$?
    [ $code = "$want" ] || fault "$*: exit code $code, not $want"
    grep -q 'the session was killed by signal 9' "$work/err" "$work/out" ||
        fault "$*: the reason is not printed: $(cat "$work/err")"
    ! grep -q -e 'unknown name' -e 'unknown list' -e 'unknown scenario' "$work/err" ||
        fault "$*: taken for an empty answer: $(cat "$work/err")"
}

# silent WORDS...: kills the session in the same way, and checks that nothing is
# printed on stdout.
silent() {
    killed 1 "$@"
    [ ! -s "$work/out" ] || fault "$*: printed $(head -n 3 "$work/out")"
}

silent list
silent list papers
silent describe slow
silent manual
silent run "$slow" --out "$work/run"
silent replicate paper --out "$work/paper"
silent replicate "$slow" --out "$work/file"
silent sbc "$slow" --out "$work/sbc"
for folder in run paper file sbc; do
    [ ! -e "$work/$folder" ] || fault "$folder: $(ls "$work/$folder") was written"
done

# If the run of a worker in a queue fails, the worker reports the reason, and
# the run is made again. SIGTERM ends the worker with code 0 and without an
# answer.
killed 1 sweep "$slow" --over seed=1 --out "$work/sweep"
"$program" sweep "$scenario" --over seed=1 --steps 900000000 --out "$work/term" \
    >"$work/out" 2>"$work/err" &
front=$!
until session=$(pgrep -P $front); do sleep 0.01; done
sleep 0.1
kill -TERM $session
wait $front
[ $? = 1 ] || fault "the exit code of a killed worker is not 1"
grep -q '^failed$' "$work/term/job_000001" ||
    fault "an incomplete run is stored as a result: $(cat "$work/term/job_000001")"

exit $faults
