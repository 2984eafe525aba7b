#!/bin/sh
# usage: stop_rule.sh PROGRAM SCENARIO
# A scenario that says when it has seen enough ends there, whatever the workers,
# and is judged there; the summary and its JSON say why.
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

# Its claim is wrong: that is found out where it stops, and the status says so.
for workers in 1 3; do
    "$program" run "$work/s.lua" --workers $workers > "$work/$workers" 2> "$work/err"
    [ $? -eq 1 ] || fault "a broken promise is not told"
done
cmp -s "$work/1" "$work/3" || fault "workers change where it stops"
grep -q '^stopped before its budget: ess .* > 400, rhat .* < 1.01$' "$work/1" ||
    fault "the summary does not say why: $(head -3 "$work/1")"
grep -q '^claims, judged at step [0-9,]*, where it stopped' "$work/1" || fault "not judged there"
grep -q 'stopped at step [0-9,]*, before the budget' "$work/err" || fault "it is not told"
sed -i 's/at_least = 0.9/at_least = 0.2/' "$work/s.lua"
"$program" run "$work/s.lua" --out "$work/o" > "$work/out" 2> "$work/err" ||
    fault "it fails: $(cat "$work/err")"
grep -q '"stopped": "ess ' "$work/o/summary.json" || fault "the JSON does not say why"
"$program" run "$work/s.lua" --steps 100 > "$work/out" 2> "$work/err" || fault "--steps fails"
grep -q '^stopped' "$work/out" && fault "it stops without having seen enough"
"$program" replicate "$work/s.lua" > "$work/out" 2>&1 || fault "replicate fails"
exit $faults
