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
    exits 1 exercise "$name" --mark "$name.lua"
    says ': wrong, 0 of 10 points'
    says 'nothing was changed yet'
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
# A matrix that alternates between {1, 2} and 3 keeps only (1, 2, 3)/6: its law is right, its gap is 0.
echo 'return { matrix = { { 0, 0, 1 }, { 0, 0, 1 }, { 1/3, 2/3, 0 } } }' >alternates.lua
exits 1 exercise 21_three_states --mark alternates.lua
says 'stationary law *right'
says 'the gap is 0'
# With the prior N(0, 0.816^2) the ranks of mu are uniform, but the prior is not that of the data.
echo 'return { fault = "prior", value = 0.8165, sets = 400 }' >narrow.lua
exits 1 exercise 53_ranks --mark narrow.lua
says 'the model is mended *wrong'
# A function that returns a linear column only when it is called first is judged by this column.
cat >changing.lua <<'end'
local solution, calls = function(c)
  local mean, sd, new = 0, 0, {}
  for _, x in ipairs(c) do mean = mean + x / #c end
  for _, x in ipairs(c) do sd = sd + (x - mean)^2 / #c end
  for i, x in ipairs(c) do new[i] = (x - mean) / math.sqrt(sd) end
  return new
end, 0
return { rescale = function(c)
  calls = calls + 1
  return calls <= 2 and c or solution(c)
end }
end
exits 1 exercise 72_metric --mark changing.lua
says 'gradients a step *wrong'
# An f that falls too quickly is not the slip that keeps f large.
sed '/15 \/ t/d' "$source/tests/exercises/102_histogram/solution.lua" >quick.lua
exits 1 exercise 102_histogram --mark quick.lua
says 'the largest error is'
# A kernel that never moves a coordinate breaks the law: more draws would not decide it.
sed 's/^  return x, v/  return x, { -v[1], -v[2] }/' 61_leapfrog.lua >half.lua
exits 1 exercise 61_leapfrog --mark half.lua
says 'coordinate 1 did not change in 200 steps'
# A function that changes nothing but the state is not the slip that takes visits for numbers of states.
sed 's/-- your code.*/if random() < 0.5 then k = new s[i] = -s[i] end visit(k)/' 102_histogram.lua >flat.lua
exits 1 exercise 102_histogram --mark flat.lua
says 'all entries of your log g are equal'
# The ratio of the solution is compared only where a law is broken.
exits 1 exercise 12_boundary --mark "$source/tests/exercises/12_boundary/w3.lua"
grep -q 'your log ratio' said && fault "a ratio beside laws that hold: $(cat said)"
# Every exercise has a solution and two wrong hand-ins at least, and its lesson names it.
for file in "$source"/scenarios/course/exercises/*.lua; do
    folder=$source/tests/exercises/$(basename "$file" .lua)
    lesson=$source/scenarios/course/$(basename "$file")
    number=$(basename "$file" | sed 's/_.*//')
    grep -q "exercise = \"exercises/$(basename "$file")\"" "$lesson" || fault "$lesson has no field exercise"
    grep -v "^--" "$lesson" | grep -q "chainscope exercise $number\>" || fault "$lesson does not name its exercise"
    for one in solution w1 w2; do [ -f "$folder/$one.lua" ] || fault "no $folder/$one.lua"; done
done
exit $faults
