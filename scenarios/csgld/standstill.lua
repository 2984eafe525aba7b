-- Why SGLD comes to a standstill, and MALA goes on.
--
-- All arms take one gradient a step, of the same normal. MALA makes SGLD's very
-- move and then accepts or refuses it; so what it samples is the target, and
-- its error falls as one over the root of the work, for ever. SGLD saves the
-- accept step, and log p with it, and samples something near the target
-- instead: its error falls until it meets the distance between the two, and
-- there it stays.
--
-- See `distance`, mean over the chains of each one's own: all curves begin as
-- one. `fast` (rate 0.5) lies level first. `slow` (0.1) takes five times as
-- long, and lies level five times lower. No rate is good for all budgets: a
-- large one forgets its past soon, a small one has little bias. `fall` lets the
-- rate sink as the step to the power -1/3, the best there is: it never stands
-- still, but its error falls as that power too, and not as -1/2.
--
-- `weighed` is the same chain, its draws weighed by their rates, as Welling and
-- Teh do: so many small steps count for a large one. The bias is then that of
-- twice the last rate, and not of one and a half.
--
-- The error here is that of one chain's mean of x^2, which is 1, after a tenth
-- of its steps and after all. Bias is 1 / (1 - rate / 2) - 1: 0.333 and 0.053.
--
-- On rows of data SGLD's steps would be cheaper by N/n. That buys it an early
-- lead. It does not move the floor: see small_batches.lua.
local cs = require "chainscope"

-- The squared errors of the chains' means of x^2 over a part of their draws, to be
-- made a root mean square.
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

-- How much of the error is left when ten times the work is done.
local function left(arm)
  local early, late, list = squares(arm, 0.1), squares(arm, 1), {}
  for c = 1, #early do list[c] = { early[c], late[c] } end
  return list, function(pairs_of)
    local a, b = 0, 0
    for _, pair in ipairs(pairs_of) do a, b = a + pair[1], b + pair[2] end
    return math.sqrt(b / a)
  end
end

local falling = cs.schedule.polynomial { scale = 0.5, power = 1 / 3 }

return cs.scenario {
  title  = "A standstill",
  shows  = "SGLD's error stops at its bias; MALA's goes on falling",
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
      note = "the bias" },
    { arm = "slow", stat = "error, a tenth", measure = tenth, near = 0.087, within = 0.03 },
    { arm = "slow", stat = "error, all", measure = whole, near = 0.057, within = 0.02,
      note = "nearly all bias, 0.053" },
    { arm = "mala", stat = "error, all", measure = whole, at_most = 0.03 },
    { arm = "fast", stat = "error left", measure = left, near = 1, within = 0.1,
      note = "ten times the work was for nothing" },
    { arm = "mala", stat = "error left", measure = left, near = 0.316, within = 0.12,
      note = "one over the root of 10" },
    { arm = "fall", stat = "error left", measure = left, at_most = 0.9,
      note = "10^(-1/3) is 0.46" },
    { arm = "fall", stat = "sd", of = 1, near = 1, within = 0.025, note = "by its rates 1.006" },
    { arm = "weighed", stat = "sd", of = 1, near = 1, within = 0.025, note = "by its rates 1.007" },
    { arm = "mala", stat = "ks", at_most = 0.005 },
    { arm = "fast", stat = "ks", near = 0.035, within = 0.003 },
  },
}
