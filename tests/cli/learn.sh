#!/bin/sh
# usage: learn.sh PROGRAM
# chainscope train of scenarios: stopped and gone on with it learns the same, and
# what it has learned is a machine.
program=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0
fault() { echo "$*"; faults=1; }

cat >"$work/bars.lua" <<'END'
local cs = require "chainscope"
local bars = {}
for i = 0, 7 do
  for r = 1, 2 do
    local x = {}
    for k = 0, 8 do x[#x + 1] = i >> (r == 1 and k % 3 or k // 3) & 1 end
    bars[#bars + 1] = x
  end
end
return cs.scenario {
  title = "Bars", target = cs.target.rbm { visible = 9, hidden = 4, cols = 3 },
  chains = 3, seed = 1, budget = { steps = 400 }, screen = { "acceptance" },
  arms = {
    a = { kernel = cs.kernel.gwg {}, learn = { data = bars, test = bars, updates = 150, steps = 2, judge = { runs = 20, temperatures = 10, every = 100 } } },
    b = { kernel = cs.kernel.dmala {}, tuner = cs.tuner.acs { cycle = "peak", period = 4, trials = 4, burn_in = 0, settle = 0 },
          learn = { data = bars, updates = 100, steps = 2, retune = 20, cycle = 4, schedules = "updates" } },
  },
}
END
"$program" train "$work/bars.lua" --out "$work/whole" >"$work/said" 2>&1 ||
    fault "train: $(cat "$work/said")"
"$program" train "$work/bars.lua" --out "$work/parts" --steps 77 >/dev/null 2>&1
[ -f "$work/parts/a_learned.csv" ] || fault "what was learned in 77 steps is not there"
grep -q '38 of 150 updates' "$work/parts/a_learned.csv" ||
    fault "after 77 steps: $(head -n 1 "$work/parts/a_learned.csv")"
"$program" train "$work/bars.lua" --out "$work/parts" --resume --steps 400 >"$work/said" 2>&1 ||
    fault "resume: $(cat "$work/said")"
for arm in a b; do
    cmp -s "$work/whole/${arm}_learned.csv" "$work/parts/${arm}_learned.csv" ||
        fault "arm $arm has learned something else"
    [ "$(grep -vc '^#' "$work/whole/${arm}_learned.csv")" = 5 ] || fault "no five rows of $arm"
done
# The summary has what was learned: energies on the way, each judgement.
"$program" shot "$work/bars.lua" --steps 20 --size 80x24 >"$work/said" || fault "no frame of what learns"
grep -q 'There are no draws yet' "$work/said" || fault "acceptance while it learns: $(cat "$work/said")"
told() { # ARM: its line of summary.json
    grep "\"arm\": \"$1\"" "$work/whole/summary.json" | sed 's/.*"learned": {//'
}
count() { # ARM COLUMN: numbers in it
    told "$1" | grep -o "\"$2\": \[[^]]*\]" | tr ',' '\n' | grep -c '[0-9]'
}
told a | grep -q '^"update": 150, "updates": 150, "numbers": 49, "refused": 0, "independent": -6' ||
    fault "a has learned: $(told a | cut -c1-200)"
told b | grep -q '^"update": 100, "updates": 100' || fault "b has learned: $(told b | cut -c1-200)"
told b | grep -q '"judged": {}' || fault "b was judged"
for column in data chains; do
    [ "$(count a $column)" = 150 ] || fault "$(count a $column) energies of $column"
done
for column in test test_error train log_z error kish; do
    [ "$(count a $column)" = 2 ] || fault "$(count a $column) judgements: $column"
done
cat >"$work/machine.lua" <<END
local cs = require "chainscope"
return cs.scenario { title = "Learned", target = cs.target.rbm { file = "whole/a_learned.csv", cols = 3 },
  arms = { cs.kernel.block_gibbs {} }, budget = { steps = 50 } }
END
"$program" run "$work/machine.lua" >"$work/said" 2>&1 || fault "machine: $(cat "$work/said")"

cat >"$work/plain.lua" <<END
local cs = require "chainscope"
return cs.scenario { title = "Plain", target = cs.target.bernoulli4 {}, arms = { cs.kernel.gibbs {} }, budget = { steps = 5 } }
END
"$program" train "$work/plain.lua" >"$work/said" 2>&1 && fault "a scenario that learns nothing was trained"
grep -q 'no arm of this scenario learns' "$work/said" || fault "plain: $(cat "$work/said")"
"$program" train "$work/bars.lua" --data images >"$work/said" 2>&1 && fault "--data of a scenario is taken"
grep -q 'takes no --data: a scenario names its data itself' "$work/said" || fault "--data: $(cat "$work/said")"
"$program" train rbm --data images --out file --steps 3 >"$work/said" 2>&1 && fault "--steps of rbm is taken"
grep -q 'train rbm takes no --steps' "$work/said" || fault "--steps: $(cat "$work/said")"
exit $faults
