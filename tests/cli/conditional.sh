#!/bin/sh
# usage: conditional.sh PROGRAM
# Tests the law `conditional` of `check`: draws that follow the density, and
# draws with a wrong variance, a shifted mean and labels off by one.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

cat >model.lua <<'END'
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf
local y = { -1.2, -0.4, 0.3, 1.9, 2.2, 3.0 }
return cs.scenario { title = "a mixture", seed = 4, chains = 4,
  target = cs.target {
    params = { { mu = cs.real() }, { nu = cs.real() }, { tau = cs.positive() }, { z = cs.label(2, 6) } },
    log_density = function(p)
      return lpdf.normal(p.mu, -1, 1.5) + lpdf.normal(p.nu, 1.5, 1.5) + lpdf.gamma(p.tau, 2, 1) +
        M.sum(M.gather(M.log(M.vector { 0.35, 0.65 }), p.z)) +
        M.sum(lpdf.normal(M.vector(y), M.gather(M.pack(p.mu, p.nu), p.z), 1 / M.sqrt(p.tau)))
    end },
  arms = { a = cs.kernel.cycle {
    cs.kernel.gibbs { on = { "mu", "nu" }, name = "means", draw = function(p, rng)
      local out = {}
      for k, name in ipairs { "mu", "nu" } do
        local n, sum = 0, 0
        for i = 1, 6 do if p.z[i] == k then n, sum = n + 1, sum + y[i] end end
        local precision = n * p.tau + 1 / 2.25
        local mean = (sum * p.tau + (k == 1 and -1 or 1.5) / 2.25) / precision
        out[name] = rng:normal(mean, SCALE / math.sqrt(precision))
      end
      return out
    end },
    cs.kernel.gibbs { on = "tau", draw = function(p, rng)
      local squares, mean = 0, { p.mu, p.nu }
      for i = 1, 6 do squares = squares + (y[i] - mean[p.z[i]]) ^ 2 end
      return SHIFT * rng:gamma(2 + 6 / 2, 1 + squares / 2)
    end },
    cs.kernel.gibbs { on = "z", draw = function(p, rng)
      local z = {}
      for i = 1, 6 do
        local a = 0.35 * math.exp(-0.5 * p.tau * (y[i] - p.mu) ^ 2)
        local b = 0.65 * math.exp(-0.5 * p.tau * (y[i] - p.nu) ^ 2)
        z[i] = rng:uniform() < a / (a + b) and FIRST or 3 - FIRST
      end
      return z
    end } } } }
END

# model SCALE SHIFT FIRST: writes a model, and checks it.
model() {
    sed "s/SCALE/$1/; s/SHIFT/$2/; s/FIRST/$3/g" model.lua >a.lua
    "$program" check a.lua --law conditional --seconds 4 >out 2>&1
}

model 1 1 1 || fault "exact draws are refused: $(cat out)"
for member in means tau z; do
    grep -q "holds .* draws of the member $member follow" out || fault "$member: $(cat out)"
done
# A mean that is off by half a standard deviation, and labels in the wrong order.
# (law/test_conditional finds smaller errors, in a given number of draws.)
model 1 1.25 2 && fault "wrong draws hold: $(cat out)"
grep -q 'BROKEN  the draws of tau .* mean off by +0.[456]' out || fault "mean: $(cat out)"
grep -q 'BROKEN  the draws of z.* by the member z ' out || fault "labels: $(cat out)"

# An error of the script is reported with its text.
sed "s/SCALE/1/; s/SHIFT/-1/; s/FIRST/1/g" model.lua >a.lua
"$program" check a.lua --law conditional --seconds 1 >out 2>&1 && fault "a failing draw holds: $(cat out)"
grep -q 'the member tau: the function draw failed' out && grep -q 'tau (-.*) is outside its bounds' out || fault "an error: $(cat out)"
exit $faults
