#!/bin/sh
# usage: starts.sh PROGRAM SCENARIO
# Tests starts that must not fail. A start with an infinite gradient is drawn
# again, or refused if it was given. Chains whose log density is far below that
# of the others are moved to them, and the summary reports this. Half of the
# steps are left for draws. Trajectories have varying lengths.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

# The log density of some random starts is finite but its gradient overflows, or
# the log density is -1e37. No chain stops, and none affects the step size of
# the other chains.
cat >steep.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "A slope that overflows",
  target = cs.target { params = { { a = cs.real() }, { r = cs.positive() } }, log_density = function(p)
    local u = cs.lpdf.normal(p.a, 0, 1) + cs.lpdf.exponential(p.r, 1)
    for _, t in ipairs { 5, 20, 60, 300, 500 } do
      u = u + cs.lpdf.weibull(t, p.r, cs.math.exp(-60 * p.a / p.r))
    end
    return u end },
  chains = 8, seed = 1, arms = { nuts = cs.kernel.nuts {} }, budget = { steps = 2000 } }
END
"$program" run steep.lua >steep 2>&1 || fault "steep: $(cat steep)"
grep -q 'stopped' steep && fault "a bad start is not drawn again: $(cat steep)"
awk '$1 == "a" && $7 > 300 { good = 1 } END { exit !good }' steep ||
    fault "bad starts affect the run: $(cat steep)"
sed -e 's/chains = 8/start = { { a = 1.57672, r = 0.15 } }, chains = 2/' steep.lua >given.lua
"$program" run given.lua >given 2>&1 && fault "a start with an infinite gradient is accepted"
grep -q 'chain 1 cannot start: its log density is finite, but its gradient is not' given ||
    fault "given: $(cat given)"
grep -q 'give a start nearer' given || fault "no hint: $(cat given)"

# One chain of eight starts in a mode of negligible weight that it cannot leave.
cat >far.lua <<'END'
local cs = require "chainscope"
local M = cs.math
local start = {}
for i = 1, 8 do start[i] = { i == 3 and 60 or i / 8, 0 } end
return cs.scenario { title = "A mode of no weight", target = cs.target { space = cs.real(2),
  log_density = function(x)
    local near = -(x[1]^2 + x[2]^2) / 2
    local far = -200 - 500 * ((x[1] - 60)^2 + x[2]^2)
    return M.log(M.exp(near) + M.exp(far)) end },
  chains = 8, seed = 2, start = start, arms = { nuts = cs.kernel.nuts {} }, budget = { steps = 1000 } }
END
"$program" run far.lua --out far >said 2>&1 || fault "far: $(cat said)"
grep -q 'during the warm-up 1 of 8 chains, with log p far below the others, .*: chain 3$' said ||
    fault "the moved chain is not reported: $(cat said)"
grep -q 'R-hat' said && fault "a chain does not leave its start: $(cat said)"
"$program" run far.lua --out part --steps 300 >/dev/null 2>&1 || fault "no part"
"$program" run far.lua --out part --resume >again 2>&1 || fault "no resume"
grep -q 'chain 3$' again || fault "the moved chain is not reported after a resume: $(cat again)"

# A run that is shorter than the scenario's budget has draws. If it is
# continued, it is the same run.
cat >short.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "Short", target = cs.target.gaussian { dim = 3 }, chains = 2,
  seed = 1, arms = { nuts = cs.kernel.nuts {} }, budget = { steps = 2000 } }
END
"$program" run short.lua --steps 1000 --out one >said 2>&1 || fault "short: $(cat said)"
grep -q "in 500 steps (limited to half of the run)" said || fault "no message about the shorter warm-up: $(cat said)"
[ "$(grep -vc '^[#l]' one/nuts_1.csv)" -eq 500 ] || fault "not half of the steps are draws"
"$program" run short.lua --steps 1400 --out one --resume >said 2>&1 || fault "resume: $(cat said)"
[ "$(grep -vc '^[#l]' one/nuts_1.csv)" -eq 900 ] || fault "resumed, it has another warm-up"
"$program" run short.lua --steps 1400 --replay one/journal.txt --out two >said 2>&1
for c in 1 2; do
    grep -v '^#' one/nuts_$c.csv >a; grep -v '^#' two/nuts_$c.csv >b
    cmp -s a b || fault "a replay has another warm-up: $(cat said)"
done
"$program" run short.lua >said 2>&1
grep -q 'limited to' said && fault "the scenario's own budget is limited: $(cat said)"

# Trajectories are as long as the period of a coordinate.
cat >period.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "Period", target = cs.target.gaussian { dim = 2 }, chains = 4, seed = 3,
  arms = { hmc = cs.kernel.hmc { step = 0.3142, leapfrogs = 20 },
           fixed = cs.kernel.hmc { step = 0.3142, leapfrogs = 20, jitter = 0 } },
  budget = { steps = 2000 },
  claims = { { arm = "hmc", stat = "rhat", at_most = 1.01 }, { arm = "fixed", stat = "rhat", at_least = 1.2 } } }
END
"$program" run period.lua >said 2>&1 || fault "trajectories resonate: $(cat said)"
exit $faults
