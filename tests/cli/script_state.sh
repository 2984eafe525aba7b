#!/bin/sh
# usage: script_state.sh PROGRAM
# Tests that variables of a script's functions are a part of the state of the
# run. They are saved, rewound and repeated with the run, and compared. Values
# that cannot be saved are refused by name.
. "$(dirname "$0")/../support/begin.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$work" || exit 1
export XDG_STATE_HOME="$work/home" XDG_CACHE_HOME="$work/home"

cp "$here"/kept.lua . # its events keep values of every kind
sed 's/width \* (1/width * (2/' kept.lua >edited.lua

draws() { grep -hv '^#' "$1"/a_*.csv; }
"$program" run kept.lua --out whole >said 2>&1 || fault "$(cat said)"
draws whole >want
grep -q 'stopped at step 1,600, before the budget: seen 40' said || fault "it does not stop: $(head -2 said)"
for step in 1 137 450 467 1003 1599; do
    "$program" run kept.lua --out cut --force --steps $step >said 2>&1 || fault "to $step: $(cat said)"
    "$program" run kept.lua --out cut --resume --steps 2000 >said 2>&1 || fault "from $step: $(cat said)"
    draws cut | cmp -s - want || fault "the draws differ when resumed at step $step"
done
"$program" run kept.lua --out cut --force --steps 500 >said 2>&1
"$program" run edited.lua --out cut --resume --steps 2000 2>err >said && fault "a changed event was accepted"
grep -q 'this is not the run that was saved' err || fault "edited: $(cat err)"

# Rewinding and repeating lead to the same state in every way.
state() { printf "$1\nstate\n" | "$program" kept.lua --plain 2>err | grep 'Chain 1 of a is at'; }
want=$(state 'step 760\nset a.step 0.7\nstep 800')
[ -n "$want" ] || fault "no state"
for way in 'step 1333\nlua run:rewind_to(760)' 'step 1333\nlua run:rewind_to(750)\nstep 10' \
    'step 1333\nlua run:rewind_to(300)\nstep 460' 'step 1333\nlua run:rewind_to(0)\nstep 760' \
    'lua run:step(1333)\nlua run:rewind_to(760)' 'lua run:step(1333)\nlua run:rewind(1033)\nlua run:step(460)' \
    'step 500\nrestart\nstep 760' 'step 510\nreload\nstep 250' 'step 500\nsave k\nstep 100\nload k\nstep 260' \
    'step 1333\nrewind to 480\nlua run:rewind_to(300)\nstep 460'; do
    [ "$(state "$way\nset a.step 0.7\nstep 800")" = "$want" ] || fault "the state differs by $way"
done
want=$(state 'step 1500')
[ "$(state 'step 1333\nrewind to 480\nstep 700\nrewind to 750\nstep 750')" = "$want" ] || fault "the state differs after rewinding"

# scenario TARGET KERNEL SETUP: prints a scenario.
scenario() {
    cat <<END
local cs = require "chainscope"
local n, t = 0, {}
local function count() n = n + 1 end
return cs.scenario { title = "t", target = $1, chains = 1, seed = 3, warmup = 0,
  arms = { a = $2 }, budget = { steps = 400 }, setup = function(run) $3 end }
END
}
# refuses WHAT WORDS TARGET KERNEL SETUP ["late"]: checks that the value is
# refused: before the first draw or, with "late", when the value occurs.
refuses() {
    scenario "$3" "$4" "$5" >bad.lua
    "$program" run bad.lua --out "out $1" 2>err >said && fault "$1: accepted"
    grep -q "$2" err || fault "$1: $(cat err)"
    [ "$6" ] || [ ! -e "out $1"/a_1.csv ] || ! grep -q '^[-0-9]' "out $1"/a_1.csv || fault "$1: draws were made before it was refused"
}
good='cs.target.gaussian { dim = 1 }'
walk='cs.kernel.random_walk { step = 1 }'
own() { echo "cs.target { space = cs.real(1), traced = false, log_density = function(x) $1; return -x[1] ^ 2 end }"; }
refuses kernel "propose changes 'n' (bad.lua:5)" "$good" \
    'cs.kernel { propose = function(x, draw) n = n + 1; return { x[1] + draw:normal() } end }'
refuses schedule "step changes 'n' (bad.lua:5)" "$good" \
    'cs.kernel.random_walk { step = function() n = n + 1; return 1 + n % 7 end }'
refuses density "log_density changes 'n' (bad.lua:3)" "$(own 'count()')" "$walk"
refuses global "log_density changes the global 'm'" "$(own 'm = x[1]')" "$walk"
refuses table 'log_density (bad.lua:4) captures a table that was changed' "$(own 't[#t + 1] = x[1]')" "$walk" '' late
refuses coroutine "bad.lua:5: 'c': a coroutine cannot be saved" "$good" "$walk" \
    'local c = coroutine.create(function() end); run:every(50, function() coroutine.resume(c) end)'
refuses made "run:at(117): a function created during the run cannot be saved" "$good" "$walk" \
    'run:every(100, function(r) r:at(r.steps + 17, function() end) end)' late
refuses key "run:every(50): a table with a table as a key\|'t': a table with a table as a key" "$good" "$walk" \
    't[{}] = 1; t[{}] = 2; run:every(50, function() t.n = 1 end)'
# Tests a global variable with the name run, and a file whose name has a blank.
mkdir 'a b'
sed 's/function(run)/function(it)/; s/run:/it:/; s/total/run/g' kept.lua >'a b/k t.lua'
"$program" run 'a b/k t.lua' --out named --steps 700 >said 2>&1 || fault "named: $(cat said)"
"$program" run 'a b/k t.lua' --out cut --force --steps 333 >said 2>&1
"$program" run 'a b/k t.lua' --out cut --resume --steps 700 >said 2>&1 || fault "named: $(cat said)"
draws named >want
draws cut | cmp -s - want || fault "the draws differ with a global called run"
# Functions that only read variables are accepted, and so are typed lines.
scenario "$(own 'local y = n + #t')" 'cs.kernel.random_walk { step = function(k) return 1 + n + k % 3 end }' \
    'run:every(100, function() n = n + 0.5 end)' >fine.lua
"$program" run fine.lua --out fine >said 2>&1 || fault "a function that only reads: $(cat said)"
printf 'step 5\nlua run:every(10, function(r) print("ten", r.steps) end)\nstep 40\n' |
    "$program" fine.lua --plain 2>&1 | grep -q 'ten.*40' || fault "a typed line"
exit $faults
