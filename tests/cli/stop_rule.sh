#!/bin/sh
# usage: stop_rule.sh PROGRAM SCENARIO
# Tests that a scenario with a stop rule ends when the rule is met, with any
# number of workers, and is judged at that step. The summary and its JSON give
# the reason.
. "$(dirname "$0")/../support/begin.sh"

cat > "$work/s.lua" <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "It stops", target = cs.target.mixture { means = { { -2 }, { 2 } } },
  chains = 4, seed = 5, arms = { walk = cs.kernel.random_walk { step = 3 } },
  budget = { steps = 100000 }, stop = { rhat = 1.01, ess = 400 },
  claims = { { arm = "walk", stat = "acceptance", at_least = 0.9 } },
}
END

# A claim of the scenario is wrong. This is found at the step where the run
# stops, and the exit code reports it.
for workers in 1 3; do
    "$program" run "$work/s.lua" --workers $workers > "$work/$workers" 2> "$work/err"
    [ $? -eq 1 ] || fault "a failed claim is not reported"
done
cmp -s "$work/1" "$work/3" || fault "the stop depends on the workers"
grep -q '^stopped before its budget: ess .* > 400, rhat .* < 1.01$' "$work/1" ||
    fault "the summary does not give the reason: $(head -3 "$work/1")"
grep -q '^claims, judged at step [0-9,]*, where it stopped' "$work/1" || fault "the claims are not judged at the stop"
grep -q 'stopped at step [0-9,]*, before the budget' "$work/err" || fault "the stop is not reported"
sed -i 's/at_least = 0.9/at_least = 0.2/' "$work/s.lua"
"$program" run "$work/s.lua" --out "$work/o" > "$work/out" 2> "$work/err" ||
    fault "it fails: $(cat "$work/err")"
grep -q '"stopped": "ess ' "$work/o/summary.json" || fault "the JSON does not give the reason"
"$program" run "$work/s.lua" --steps 100 > "$work/out" 2> "$work/err" || fault "--steps fails"
grep -q '^stopped' "$work/out" && fault "it stops before the rule is met"
"$program" replicate "$work/s.lua" > "$work/out" 2>&1 || fault "replicate fails"
exit $faults
