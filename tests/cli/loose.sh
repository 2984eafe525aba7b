#!/bin/sh
# usage: loose.sh PROGRAM SCENARIO
# Tests that bounds of rows which are too loose to help are reported before the
# first step, in the summary, and in its JSON. Tighter bounds are not reported.
. "$(dirname "$0")/../support/begin.sh"
# scenario BETA: writes a scenario; BETA is the power of the likelihood.
scenario() {
    cat >"$work/s.lua" <<END_LUA
local cs = require "chainscope"
return cs.scenario {
  title = "bounds", chains = 2, budget = { steps = 60 },
  target = cs.target.robust_regression { dim = 3, rows = 2000, radius = 2, beta = $1 },
  arms = { few = cs.kernel.poisson_mh { step = 0.2, lambda = 1e-6 } },
}
END_LUA
    "$program" run "$work/s.lua" --out "$work/out$1" >"$work/out" 2>"$work/err" ||
        fault "exit $?: $(cat "$work/err")"
}

scenario 0.5
grep -q "^chainscope: arm few: poisson_mh draws .* bounds are too loose" "$work/err" ||
    fault "stderr does not say that bounds are loose: $(cat "$work/err")"
grep -q "bounds are too loose" "$work/out" || fault "the summary does not say that bounds are loose"
grep -q "bounds are too loose" "$work/out0.5/summary.json" || fault "the JSON does not say that bounds are loose"
scenario 0.005
grep -q "too loose" "$work/err" "$work/out" && fault "tight bounds are called loose"
grep -q "rows drawn: .* of 2000, expected .*; kept: " "$work/out" ||
    fault "the summary has no rows: $(cat "$work/out")"
grep -q '"rows_kept": ' "$work/out0.005/summary.json" || fault "the JSON has no rows"
exit $faults
