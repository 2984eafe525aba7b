#!/bin/sh
# usage: exercise_hidden.sh PROGRAM SCENARIO
# Tests hidden judges: numbers that are typed in are right for the exercise and
# wrong for its hidden judge; missing, other and broken files of a judge; hand-ins
# cannot read them.
. "$(dirname "$0")/../support/begin.sh"
export XDG_STATE_HOME="$work/state" XDG_CACHE_HOME="$work/cache"
cd "$work" || exit 1
mkdir judges empty hand-ins
cat >judges/dimension_25.lua <<'end'
local cs = require "chainscope"
return {
  target = cs.target.gaussian { dim = 25 }, budget = { steps = 1000 }, seconds = 0.3,
  kernel = function(a) return cs.kernel.random_walk { step = a.step(25) } end,
  laws = { "record" },
  tests = { { "step(100)", function(a) return math.abs(a.step(100) - 0.238) < 0.02 end } },
  claims = { { stat = "acceptance", at_least = 0.15, at_most = 0.4 } },
}
end
cat >exercise.in <<'end'
local cs = require "chainscope"
return cs.scenario {
  title = "Steps", target = cs.target.gaussian { dim = 4 }, budget = { steps = 1000 }, seed = 1,
  exercise = {
    text = "Give the best step in d dimensions.", skeleton = "return { step = function(d) return 1 end }\n",
    judge = {
      answers = { step = { "function", "step(d), the step in d dimensions" } },
      kernel = function(a) return cs.kernel.random_walk { step = a.step(4) } end,
      claims = { { stat = "acceptance", at_least = 0.15, at_most = 0.4 } },
      tests = { { "step(1)", function(a) return a.step(1) > a.step(4) end } },
      hidden = "sha256:DIGEST",
    },
  },
}
end
# Writes the exercise with the digest of a file.
names() { sed "s/DIGEST/$(sha256sum "$1" | cut -c1-64)/" exercise.in >steps.lua; }
names judges/dimension_25.lua
cd hand-ins || exit 1
echo 'return { step = function(d) return 2.38 / math.sqrt(d) end }' >formula.lua
echo 'return { step = function(d) return d == 1 and 2.38 or 1.19 end }' >typed.lua
hidden() {
    code=$1
    shift
    exits "$code" exercise ../steps.lua --judges ../judges "$@"
}

# Without the file, both hand-ins are right; the points of the judge are open.
for file in formula typed; do
    exits 0 exercise ../steps.lua --mark $file.lua
    says ': right, 7 of 10 points'
    says 'hidden judge *hidden *0 of 3'
    says 'hidden, not judged here'
done
exits 0 exercise ../steps.lua --format jsonl --mark typed.lua
says '"points": 7, "of": 10, '
says '"points": 0, "of": 3, "item": "hidden judge", "hidden": true, "verdict": "hidden"'

# With it, the formula is right, and the typed numbers are wrong.
hidden 0 --mark formula.lua
says ': right, 10 of 10 points'
says 'hidden law record *right *1 of 1$'
says 'hidden step(100) *right *1 of 1'
says 'hidden claim acceptance *right *1 of 1 '
hidden 1 --mark typed.lua
says ': wrong, 8 of 10 points'
says '^  claim acceptance *right *3 of 3 '
says 'hidden step(100) *wrong *0 of 1'
says 'hidden claim acceptance *wrong *0 of 1 '
hidden 1 --format jsonl --mark typed.lua
says '"of": 10, .*"item": "hidden step(100)", "hidden": true, "verdict": "wrong"'
grep -q '"item": "step(1)", "hidden"' said && fault "an open item is hidden: $(cat said)"
# An answer without the values that the judge asks for is wrong, not badly formed.
echo 'return { step = function(d) return ({ 2.38, 1.68, 1.37, 1.19 })[d] end }' >table.lua
hidden 1 --mark table.lua
says ': wrong, 7 of 10 points'
says 'hidden judge *wrong *0 of 3'
# A loop that only the judge's parameters reach ends at the limit of the test.
echo 'return { step = function(d) while d == 100 do end return 2.38 / math.sqrt(d) end }' >loops.lua
hidden 5 --mark loops.lua
says 'ran for too long'
# A hand-in that is not well formed has one item, with or without the judge.
echo 'return { step = 1 }' >bad.lua
hidden 4 --mark bad.lua
says ': not loaded, 0 of 10 points'
grep -q hidden said && fault "hidden items without a form: $(cat said)"

# No folder, another file, a broken file.
exits 2 exercise ../steps.lua --judges none --mark typed.lua
says 'none cannot be read'
exits 2 exercise ../steps.lua --judges ../empty --mark typed.lua
says 'no file in ../empty has the digest sha256:'
echo '-- changed' >>../judges/dimension_25.lua
hidden 2 --mark typed.lua
says 'no file in ../judges has the digest'
breaks() {
    echo "$1" >../judges/broken.lua
    (cd .. && names judges/broken.lua)
    hidden 2 --mark formula.lua
    says "the hidden judge is broken: .*$2"
}
breaks 'return {' 'hidden judge:'
breaks 'return 7' 'expects a table'
breaks 'local a = 1' 'returns nothing'
breaks 'return { law = { "record" } }' "no field 'law'"
breaks 'return { seconds = 1 }' 'nothing is judged'
breaks 'local t = {} for i = 1, 1e9 do t[i] = { i } end' 'does not end within the limits'
sed 's/sha256:DIGEST/md5:12/' ../exercise.in >../bad.lua
exits 1 exercise ../bad.lua
says 'hidden = "md5:12" does not name a digest'

# A hand-in cannot read the judges, not even in its own folder.
echo 'return { tests = { { "reads", function() return true end } } }' >../judges/secret.lua
(cd .. && names judges/secret.lua)
ln -s ../judges link
for path in ../judges/secret.lua "$work/judges/secret.lua" link/secret.lua; do
    echo "return require('chainscope').read_json '$path'" >reads.lua
    hidden 4 --mark reads.lua
    says "may not read a file: '$path'"
done
echo "return require 'secret'" >../judges/reads.lua
hidden 4 --mark ../judges/reads.lua
says "may not read a file: 'secret.lua'"
hidden 0 --mark formula.lua
says 'hidden reads *right *3 of 3'
exit $faults
