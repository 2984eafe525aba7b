#!/bin/sh
# usage: plans.sh PROGRAM SCENARIO
# Tests that the results of tuners are in a file which another scenario can use
# for its arms. A warm-up continues after a resume, and is repeated from a
# journal.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

cat >tuned.lua <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "tuned", target = cs.target.bernoulli4 {}, chains = 3, seed = 8,
  arms = {
    cycle = { kernel = cs.kernel.dmala {}, tuner = cs.tuner.acs { trials = 40, period = 8 } },
    step = { kernel = cs.kernel.dmala {}, tuner = cs.tuner.acceptance { acceptance = 0.8, steps = 300 } },
  },
  budget = { steps = 500 },
}
END
"$program" run tuned.lua --out whole >said || fault "it does not run"
grep -q 'tuned by acs in .* steps: step .* to .*, balance 0.95 to 0.5' said || fault "$(cat said)"
grep -q 'tuned by acceptance in 300 steps: step [0-9.]*$' said || fault "$(cat said)"
rows=$(grep -vc '^#' whole/step_1.csv)
[ "$rows" -eq 201 ] || fault "not 200 draws after 300 steps: $rows"
grep -q '"warm_up": 300' whole/summary.json || fault "the summary does not report the length of the warm-up"
grep -q '^# arm cycle, tuned in [0-9]* steps: cs.kernel.dmala { step = { ' whole/journal.txt ||
    fault "the journal lacks the tuned values"

grep -q '^#     num_warmup = 300 ' whole/step_1.csv || fault "the draws lack the tuned values"

# The run is stopped in the middle of the warm-up, and then resumed.
"$program" run tuned.lua --steps 100 --out part >/dev/null 2>err && fault "a run without draws succeeds"
grep -q 'no draws: the run ended at step 100, during its warm-up' err || fault "no draws: $(cat err)"
grep -q 'was still being tuned' part/plans.lua || fault "an unfinished plan is stored as a plan"
"$program" run tuned.lua --out part --resume >/dev/null || fault "it does not resume"
for f in cycle_1.csv cycle_3.csv step_2.csv plans.lua journal.txt; do
    grep -v -e '^#' -e ' run steps ' "whole/$f" >a; grep -v -e '^#' -e ' run steps ' "part/$f" >b
    cmp -s a b || fault "$f differs after a resume"
done
"$program" run tuned.lua --out again --replay whole/journal.txt >/dev/null || fault "the replay fails"
cmp -s whole/plans.lua again/plans.lua || fault "the plan differs after a replay"

# The plans are used for the arms of another run. Position 1 of a plan is used
# at step 1.
cat >other.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "other", target = cs.target.bernoulli4 {}, chains = 2,
  arms = cs.plans "whole/plans.lua", budget = { steps = 16 }, warmup = 0 }
END
"$program" run other.lua --out other >/dev/null || fault "the plans do not run"
column() { grep -v '^#' "$1" | tail -n +2 | cut -d, -f3 | head -n 16; }
column whole/cycle_1.csv >a; column other/cycle_1.csv >b
cmp -s a b || fault "the cycle begins at another position"
[ "$(sort -u a | wc -l)" -gt 2 ] || fault "there is no cycle"

# A run saved as a script has the tuned values, and its parameters can still be
# changed.
"$program" repl tuned.lua >/dev/null 2>err <<'END'
run:step(400)
:save saved.lua
END
grep -q -- '-- arm cycle, tuned in' saved.lua || fault "missing in the saved script: $(cat err)"
"$program" run saved.lua --steps 500 --out saved >/dev/null || fault "the saved script does not run"
cmp -s whole/plans.lua saved/plans.lua || fault "the saved script gives another plan"

# Files that are not plans are refused.
echo 'return { a = 3 }' >bad.lua
echo 'return { a = ' >worse.lua
for f in bad worse none; do
    echo "local cs = require 'chainscope' return cs.plans '$f.lua'" >use.lua
    "$program" run use.lua >/dev/null 2>err && fault "$f.lua is accepted"
    grep -q "$f" err || fault "$f.lua: $(cat err)"
done
exit $faults
