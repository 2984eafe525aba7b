#!/bin/sh
# usage: course_exercises.sh PROGRAM SCENARIO
# Tests the exercises of the course: each skeleton loads, each solution and each
# other right hand-in has all points, and each known wrong hand-in is marked as
# wrong and named.
. "$(dirname "$0")/../support/begin.sh"
source=$(cd "$(dirname "$2")/../.." && pwd)
export XDG_STATE_HOME="$work/state"
cd "$work" || exit 1
for folder in "$source"/tests/exercises/*/; do
    name=$(basename "$folder")
    exits 0 exercise "$name" -o "$name.lua"
    if grep -q cs.scenario "$name.lua"; then exits 0 run "$name.lua" --steps 20; fi
    "$program" exercise "$name" --format jsonl --mark "$folder"/*.lua >said 2>err
    code=$?
    [ $code = 1 ] || fault "$name: exit $code: $(cat err said)"
    for right in "$folder"/solution.lua "$folder"/right*.lua; do
        [ -f "$right" ] || continue
        grep "$(basename "$right")\"" said | grep -q '"status": "right", "points": 10,' ||
            fault "$name: $(basename "$right"): $(grep "$(basename "$right")\"" said)"
    done
    for wrong in "$folder"/w*.lua; do
        slip=$(sed -n 's/^-- slip: //p' "$wrong")
        grep "$(basename "$wrong")\"" said | grep '"status": "wrong"' | grep -q "\"slip\": \"$slip\"" ||
            fault "$name: $(basename "$wrong") is not $slip: $(grep "$(basename "$wrong")\"" said)"
    done
done
# Every exercise has a solution and two wrong hand-ins at least.
for file in "$source"/scenarios/course/exercises/*.lua; do
    folder=$source/tests/exercises/$(basename "$file" .lua)
    for one in solution w1 w2; do [ -f "$folder/$one.lua" ] || fault "no $folder/$one.lua"; done
done
exit $faults
