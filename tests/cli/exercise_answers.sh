#!/bin/sh
# usage: exercise_answers.sh PROGRAM SCENARIO
# Tests the marks of hand-ins that are tables of answers: points of tests, known
# wrong answers, answers of the wrong form, and claims that compare `mine` with
# an arm of the exercise.
. "$(dirname "$0")/../support/begin.sh"
export XDG_STATE_HOME="$work/state" XDG_CACHE_HOME="$work/cache"
cd "$work" || exit 1
cat >sums.lua <<'end'
local cs = require "chainscope"
return cs.scenario {
  title = "Sums", target = cs.target.gaussian { dim = 1 }, budget = { steps = 100 },
  exercise = {
    text = "Give a sum, a list, a matrix and a function.",
    skeleton = "return { sum = 0, list = { 0, 0 }, matrix = { { 0, 0 }, { 0, 0 } }, f = function(x) return x end }\n",
    judge = {
      answers = { sum = { "number", "2 + 2", min = 0 }, list = { "table", "two truths", size = { 2 }, of = "boolean" },
                  matrix = { "table", "the unit matrix", size = { 2, 2 } }, f = { "function", "f(x) = 2 x" } },
      tests = {
        { "the sum", function(a) return a.sum == 4, a.sum ~= 4 and "count again" or nil end },
        { "the list", function(a) return (a.list[1] and 0.75 or 0) + (a.list[2] and 0.25 or 0) end },
        { "the function", function(a) return a.f(3) == 6 end },
      },
      slips = { { "product", "this is the product", function(a) return a.sum == 1 end } },
    },
  },
}
end
# Marks a hand-in: code, sum, list, matrix, function and the expected words.
mark() {
    echo "return { sum = $2, list = $3, matrix = $4, f = $5 }" >mine.lua
    exits "$1" exercise sums.lua --mark mine.lua
    says "$6"
}
unit='{ { 1, 0 }, { 0, 1 } }'
double='function(x) return 2 * x end'
truths='{ true, true }'
mark 0 4 "$truths" "$unit" "$double" ': right, 10 of 10 points'
mark 1 4 '{ true, false }' "$unit" "$double" ': nearly, 9.25 of 10 points'
mark 1 5 "$truths" "$unit" "$double" ': wrong, 7 of 10 points'
says 'the sum *wrong *0 of 3'
says 'count again'
mark 1 1 "$truths" "$unit" "$double" 'this is the product'
exits 1 exercise sums.lua --format jsonl --mark mine.lua
says '"slip": "product"'

# Answers of another form: no points, and a sentence that says what is wrong.
mark 4 '"4"' "$truths" "$unit" "$double" "field 'sum' is a string"
mark 4 -1 "$truths" "$unit" "$double" 'sum = -1 is out of range'
mark 4 0/0 "$truths" "$unit" "$double" 'out of range'
mark 4 nil "$truths" "$unit" "$double" "needs the field 'sum': it is 2 + 2"
mark 4 '4, total = 4' "$truths" "$unit" "$double" "no field 'total'"
mark 4 4 '{ true }' "$unit" "$double" 'list has length 1'
mark 4 4 '{ true, 1 }' "$unit" "$double" 'list: entry 2 is 1'
mark 4 4 "$truths" '{ { 1, 0 }, { 0 } }' "$double" 'row 2 of matrix has length 1'
mark 4 4 "$truths" '{ { 1, 0 }, { 0, 1 }, { 0, 0 } }' "$double" 'matrix has 3 rows, not 2'
mark 4 4 "$truths" '{ { 1, 0 }, { 0, 1/0 } }' "$double" 'entry 2 is inf'
mark 1 4 "$truths" "$unit" 'function(x) return x.a.b end' 'the function: .*mine.lua:1: attempt to index'
says ': wrong, 0 of 10 points'
mark 5 4 "$truths" "$unit" 'function(x) while true do end end' 'ran for too long'

# A claim may compare `mine` with an arm that the solver does not see.
cat >steps.lua <<'end'
local cs = require "chainscope"
return cs.scenario {
  title = "Steps", target = cs.target.gaussian { dim = 2 }, budget = { steps = 4000 }, seed = 1,
  exercise = {
    text = "Give a step.", skeleton = "return { step = 1 }\n",
    judge = {
      answers = { step = { "number", "the step", min = 0 } },
      kernel = function(a) return cs.kernel.random_walk { step = a.step } end,
      arms = { best = cs.kernel.random_walk { step = 1.7 } },
      claims = { { stat = "ess_per_work", of = 1, ratio_to = "best", at_least = 0.6 } },
    },
  },
}
end
echo 'return { step = 1.6 }' >mine.lua
exits 0 exercise steps.lua --mark mine.lua
says "claim ess_per_work(1) / that of best *right *9 of 9"
echo 'return { step = 0.2 }' >mine.lua
exits 1 exercise steps.lua --mark mine.lua
says "claim ess_per_work(1) / that of best *wrong *0 of 9"

# Errors in the exercise.
broken() {
    sed "$1" sums.lua >bad.lua
    echo 'return {}' >mine.lua
    exits 1 exercise bad.lua
    says "$2"
}
broken 's/{ "the sum", function/{ function/' 'tests: entry 1 is incomplete'
broken 's/{ "product", "this is/{ "this is/' 'slips: entry 1 is incomplete'
broken 's/"number", "2 + 2"/"number"/' "the answer 'sum' has no type"
broken 's/min = 0/least = 0/' 'least'
sed 's/ratio_to = "best"/ratio_to = "worst"/' steps.lua >bad.lua
exits 1 exercise bad.lua
says "names the arm 'worst'"
sed 's/return a.f(3) == 6/return 7/' sums.lua >bad.lua
echo "return { sum = 4, list = $truths, matrix = $unit, f = $double }" >mine.lua
exits 2 exercise bad.lua --mark mine.lua
says "the test 'the function' returned 7"
exit $faults
