-- Why the error of SGLD stops falling, and that of MALA does not.
--
-- All arms take one gradient per step, on the same normal target. MALA (the
-- Metropolis-adjusted Langevin algorithm) makes the same move as SGLD (stochastic
-- gradient Langevin dynamics) and then accepts or rejects it. MALA samples the target
-- exactly, and its error falls like 1 / sqrt(work). SGLD samples a distribution near the
-- target, and its error falls only to the distance of that distribution from the target.
--
-- Watch `distance`, where all curves start together. `fast` (rate 0.5) levels off first;
-- `slow` (0.1) takes five times as long and levels off five times lower. `fall` lowers
-- the rate at step n in proportion to n^(-1/3), the best power. Its error keeps falling
-- like n^(-1/3), but the error of MALA falls like n^(-1/2).

-- `weighed` is the chain of `fall` with draws weighted by their rates.

local cs = require "chainscope"

-- For each chain, the error is that of the mean of x^2 over the first part of its
-- draws. Returns the squared errors, and the root of their mean.
local function rms(list)
  local sum = 0
  for _, square in ipairs(list) do sum = sum + square end
  return math.sqrt(sum / #list)
end

local function squares(arm, part)
  local out = {}
  for c = 1, #arm.chains do
    local rows, sum = arm:chain(c):draws(), 0
    local n = math.floor(part * #rows)
    for i = 1, n do sum = sum + rows[i][1] ^ 2 end
    out[c] = (sum / n - 1) ^ 2
  end
  return out
end

local function tenth(arm) return squares(arm, 0.1), rms end
local function whole(arm) return squares(arm, 1), rms end

-- Returns the error after all steps, divided by the error after a tenth of the
-- steps.
local function left(arm)
  local early, late, list = squares(arm, 0.1), squares(arm, 1), {}
  for c = 1, #early do list[c] = { early[c], late[c] } end
  return list, function(pairs_of)
    local a, b = 0, 0
    for _, pair in ipairs(pairs_of) do a, b = a + pair[1], b + pair[2] end
    return math.sqrt(b / a)
  end
end

-- The claims compare the error of one chain's mean of x^2, which is exactly 1, after a
-- tenth of its steps and after all steps. The bias is 1 / (1 - rate / 2) - 1: 0.333 for
-- `fast` and 0.053 for `slow`. In `weighed` (Welling and Teh) several small steps have
-- the weight of one large step. Therefore the bias of `weighed` is that of twice the
-- last rate, instead of one and a half times the last rate. With data, a step of SGLD
-- would cost n/N of a step on all data, which gives an early advantage but does not
-- lower the final error: see small_batches.lua.
local falling = cs.schedule.polynomial { scale = 0.5, power = 1 / 3 }

return cs.scenario {
  title  = "When the error stops falling",
  shows  = "SGLD's error stops at its bias; MALA's keeps falling",
  source = "Welling and Teh 2011; Teh, Thiery and Vollmer 2016",

  target = cs.target.gaussian { dim = 2 },
  chains = 32, seed = 44, keep = 8192,
  arms   = {
    { name = "fast", kernel = cs.kernel.sgld { rate = 0.5 } },
    { name = "slow", kernel = cs.kernel.sgld { rate = 0.1 } },
    { name = "fall", kernel = cs.kernel.sgld { rate = falling } },
    { name = "weighed", kernel = cs.kernel.sgld { rate = falling, weight = falling } },
    { name = "mala", kernel = cs.kernel.mala { step = 1.4 } },
  },
  budget = { steps = 40000 },
  warmup = 0, -- an error is counted from the start
  screen = { "lesson", "distance", "trace", "map", "summary" },

  claims = {
    { arm = "fast", stat = "error, a tenth", measure = tenth, near = 0.34, within = 0.05 },
    { arm = "fast", stat = "error, all", measure = whole, near = 0.333, within = 0.015,
      note = "the bias at this rate" },
    { arm = "slow", stat = "error, a tenth", measure = tenth, near = 0.087, within = 0.03 },
    { arm = "slow", stat = "error, all", measure = whole, near = 0.057, within = 0.02,
      note = "nearly all of the error is bias, 0.053" },
    { arm = "mala", stat = "error, all", measure = whole, at_most = 0.03 },
    { arm = "fast", stat = "error left", measure = left, near = 1, within = 0.1,
      note = "ten times the work has no effect" },
    { arm = "mala", stat = "error left", measure = left, near = 0.316, within = 0.12,
      note = "1 / sqrt(10)" },
    { arm = "fall", stat = "error left", measure = left, at_most = 0.9,
      note = "10^(-1/3), which is 0.46" },
    { arm = "fall", stat = "sd", of = 1, near = 1, within = 0.025, note = "1.006 is expected from its rates" },
    { arm = "weighed", stat = "sd", of = 1, near = 1, within = 0.025, note = "1.007 is expected from its rates" },
    { arm = "mala", stat = "ks", at_most = 0.005 },
    { arm = "fast", stat = "ks", near = 0.035, within = 0.003 },
  },
}
