#!/bin/sh
# usage: learn.sh PROGRAM
# Tests chainscope train on scenarios. A run that is stopped and resumed learns
# the same, and its result can be used as a machine.
. "$(dirname "$0")/../support/begin.sh"

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
[ -f "$work/parts/a_learned.csv" ] || fault "the state learned in 77 steps is missing"
grep -q '38 of 150 updates' "$work/parts/a_learned.csv" ||
    fault "after 77 steps: $(head -n 1 "$work/parts/a_learned.csv")"
"$program" train "$work/bars.lua" --out "$work/parts" --resume --steps 400 >"$work/said" 2>&1 ||
    fault "resume: $(cat "$work/said")"
for arm in a b; do
    cmp -s "$work/whole/${arm}_learned.csv" "$work/parts/${arm}_learned.csv" ||
        fault "arm $arm has learned other values"
    [ "$(grep -vc '^#' "$work/whole/${arm}_learned.csv")" = 5 ] || fault "no five rows of $arm"
done
# The summary has the results of learning: the energies during training, and
# each evaluation.
"$program" shot "$work/bars.lua" --steps 20 --size 80x24 >"$work/said" || fault "no frame of a learning run"
grep -q 'No draws yet' "$work/said" || fault "acceptance during learning: $(cat "$work/said")"
told() { # ARM: prints the arm's line of summary.json
    grep "\"arm\": \"$1\"" "$work/whole/summary.json" | sed 's/.*"learned": {//'
}
count() { # ARM COLUMN: prints the number of values in the column
    told "$1" | grep -o "\"$2\": \[[^]]*\]" | tr ',' '\n' | grep -c '[0-9]'
}
told a | grep -q '^"update": 150, "updates": 150, "numbers": 49, "refused": 0, "independent": -6' ||
    fault "results of a: $(told a | cut -c1-200)"
told b | grep -q '^"update": 100, "updates": 100' || fault "results of b: $(told b | cut -c1-200)"
told b | grep -q '"judged": {}' || fault "b was evaluated"
for column in data chains; do
    [ "$(count a $column)" = 150 ] || fault "$(count a $column) energies of $column"
done
for column in test test_error train log_z error kish; do
    [ "$(count a $column)" = 2 ] || fault "$(count a $column) evaluations: $column"
done
cat >"$work/machine.lua" <<END
local cs = require "chainscope"
return cs.scenario { title = "Learned", target = cs.target.rbm { file = "whole/a_learned.csv", cols = 3 },
  arms = { cs.kernel.block_gibbs {} }, budget = { steps = 50 } }
END
"$program" run "$work/machine.lua" >"$work/said" 2>&1 || fault "machine: $(cat "$work/said")"

sed 's/runs = 20/runs = 2/' "$work/bars.lua" >"$work/few.lua"
"$program" train "$work/few.lua" >"$work/said" 2>&1
grep -q 'from 2 runs with an effective sample size of [0-9.]*: too few for the error' "$work/said" || fault "two runs: $(grep 'effective sample size' "$work/said")"

cat >"$work/plain.lua" <<END
local cs = require "chainscope"
return cs.scenario { title = "Plain", target = cs.target.bernoulli4 {}, arms = { cs.kernel.gibbs {} }, budget = { steps = 5 } }
END
"$program" train "$work/plain.lua" >"$work/said" 2>&1 && fault "a scenario without learning was trained"
grep -q 'no arm of this scenario trains a model' "$work/said" || fault "plain: $(cat "$work/said")"
"$program" train "$work/bars.lua" --data images >"$work/said" 2>&1 && fault "--data is accepted for a scenario"
grep -q 'has no option --data: name the data in the scenario' "$work/said" || fault "--data: $(cat "$work/said")"
"$program" train rbm --data images --out file --steps 3 >"$work/said" 2>&1 && fault "--steps is accepted for rbm"
grep -q 'train rbm has no option --steps' "$work/said" || fault "--steps: $(cat "$work/said")"

# Trains a machine and a model of words. Progress is shown, and after SIGTERM
# the result so far is kept.
{ printf '\000\000\010\003\000\000\000\144\000\000\000\004\000\000\000\004'
  i=0; while [ $i -lt 100 ]; do printf '\377\377\0\0\377\377\0\0abcdABCD'; i=$((i + 1)); done; } >"$work/images"
"$program" train rbm --data "$work/images" --out "$work/m.csv" --set hidden=3 --set epochs=2 --set batch=10 >"$work/said" 2>&1 ||
    fault "train rbm: $(cat "$work/said")"
grep -q '^epoch 2 of 2, .* s: log p of the data is' "$work/said" || fault "epochs of rbm: $(cat "$work/said")"
i=0; while [ $i -lt 200 ]; do echo "the quick fox number $i jumps over the lazy dog"; i=$((i + 1)); done >"$work/text"
stopped() { # WHAT DATA MORE: stops a training by SIGTERM, and checks its file
    rm -f "$work/kept" "$work/said"
    "$program" train "$1" --data "$2" --out "$work/kept" --set epochs=1e5 >"$work/said" 2>&1 &
    n=0
    while ! grep -qs "^epoch 1 of" "$work/said" && [ $n -lt 300 ]; do sleep 0.1; n=$((n + 1)); done
    kill -TERM $!
    wait $!
    [ $? = 143 ] || fault "$1 stopped: exit code"
    grep -q 'at 0 % of the training: .* holds the model so far' "$work/said" || fault "$1 stopped: $(tail -n 2 "$work/said")"
    grep -q "^# chainscope train $1" "$work/kept" || fault "$1 stopped: no result was stored"
}
stopped rbm "$work/images"
stopped words "$work/text"
"$program" train words --data "$work/images" --out "$work/none" >"$work/said" 2>&1 && fault "images are accepted as sentences"
grep -q 'is not a text file: it contains zero bytes: give a file with one sentence per line' "$work/said" || fault "no text: $(cat "$work/said")"
exit $faults
