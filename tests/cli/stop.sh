#!/bin/sh
# usage: stop.sh PROGRAM SCENARIO
# Tests that, however a run ends (Ctrl-C, SIGTERM, a hang-up, kill -9 of the
# front or of the session), its files after --resume equal those of an
# undisturbed run, byte for byte. The run is much longer than the time that it
# gets, so it is never complete when this script checks it, also on a loaded
# machine. The final number of steps is then chosen from the step that was
# reached.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2
draws() { grep -v -e Sampling -e Total -e num_samples "$1"; }
budget=5000000 beyond=20000 thin=10

# gone PID: waits until the process has ended or is a zombie.
gone() {
    for _ in $(seq 100); do
        case $(cut -d' ' -f3 "/proc/$1/stat" 2>/dev/null) in Z | '') return 0 ;; esac
        sleep 0.1
    done
    return 1
}

# broken NAME SIGNAL WHOM CODE: ends the run by SIGNAL to WHOM, expects CODE,
# and resumes the run.
broken() {
    out=$work/$1 code=$4
    "$program" run "$scenario" --steps $budget --thin $thin --out "$out" \
        >"$work/out" 2>"$work/err" &
    front=$!
    session=
    while [ -z "$session" ] || [ ! -s "$out/a_3.csv" ] || [ ! -s "$out/checkpoint" ]; do
        session=$(pgrep -P $front)
        kill -0 $front 2>/dev/null || break
        sleep 0.02
    done
    sleep 0.1
    eval "kill -$2 \$$3"
    wait $front
    got=$?
    [ $got -eq "$code" ] || fault "$1: exit code $got, want $code"
    gone "$session" || fault "$1: the session is still running"
    [ -s "$out/checkpoint" ] || fault "$1: no checkpoint"
    steps=$(($(grep -c '^-' "$out/a_1.csv") * thin + beyond))
    [ $steps -lt $budget ] || fault "$1: the run was not interrupted"
    if [ $3 != front ] || [ "$2" != KILL ]; then
        grep -qF "$out" "$work/err" || fault "$1: the folder of the draws is not printed"
        grep -q -e --resume "$work/err" || fault "$1: the command to resume is not printed"
    fi
    for i in 1 2 3; do # every line must be complete
        [ -z "$(tail -c1 "$out/a_$i.csv")" ] || fault "$1: a_$i.csv ends within a line's middle"
    done
    "$program" run "$scenario" --steps $steps --out "$out" --resume \
        >/dev/null 2>"$work/err" || fault "$1: cannot resume: $(cat "$work/err")"
    rm -rf "$work/whole"
    "$program" run "$scenario" --steps $steps --thin $thin --out "$work/whole" \
        >/dev/null || fault "$1: the undisturbed run fails"
    for i in 1 2 3; do
        draws "$work/whole/a_$i.csv" >"$work/a"
        draws "$out/a_$i.csv" >"$work/b"
        cmp "$work/a" "$work/b" || fault "$1: chain $i: resumed draws differ"
    done
}

# Background jobs of a shell ignore Ctrl-C, but the program handles it.
broken interrupt INT front 130
broken terminate TERM front 143
broken hangup HUP front 129
broken front KILL front 137
broken session KILL session 1
broken session_term TERM session 1
exit $faults
