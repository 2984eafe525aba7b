-- Cyclical step sizes for SGLD: 25 modes.
--
-- Twenty-five round modes of variance 0.03, two apart, and gradient noise of variance 1.
-- Cyclical SGLD starts each of 30 cycles with rate 0.07 and lowers it along half a
-- cosine: large steps find modes, small ones sample them. `sgld` has its authors' rate
-- for the plain sampler: 0.043 for 500 steps, then a falling power of the step.
--
-- Watch `visits`: from 16 starts `sgld` finds three modes per chain, `cycles` all 25.
-- Then watch `energy`: at these rates a step is 1.4 to 2 times the variance of a mode, so
-- draws of large steps are spread too widelyly. The exact mean of log p is -2.55; `cycles`
-- has -6.8. `late` counts only the last fifth of each cycle: -2.6, and 17 modes.
local cs = require "chainscope"

-- Which draws count is set by a schedule `stage`, which is 0, then 1; `cycles` leaves out
-- only the first 50 steps of each 1667. `constant` stays at 0.043 and finds nearly all
-- modes too: it is the falling rate that traps the chain, not the lack of cycles; its
-- mean of log p is -5.1. In `late` the chain stays in one mode per cycle: 30 random modes
-- of 25 are 17.7 different ones on average. `late` differs from `cycles` only in which
-- draws count. The authors' noise is sqrt(2 rate (1 - rate / 2)) instead of sqrt(2 rate):
-- it removes the variance that gradient noise of variance 1 adds, 3.5 % of the variance
-- of a step at 0.07, and less at lower rates.
local steps, cycles = 50000, 30
local period = math.ceil(steps / cycles)

local means = {}
for x = -4, 4, 2 do
  for y = -4, 4, 2 do means[#means + 1] = { x, y } end
end

-- Starts spread evenly over [-10, 10]^2, by a Kronecker sequence.
local starts = {}
for i = 1, 16 do
  starts[i] = { 20 * (i * 0.7548776662 % 1) - 10, 20 * (i * 0.5698402910 % 1) - 10 }
end

local function sgld(rate, weight)
  return cs.kernel.sgld { rate = rate, weight = weight, gradient_noise = 1 }
end
local cosine = cs.schedule.cosine { max = 0.07, min = 0, period = period, shape = "smooth" }
local function from(begin) return cs.schedule.stage { period = period, begin = begin } end

return cs.scenario {
  title  = "Cyclical step sizes",
  shows  = "Large steps find modes, small steps sample them, and a schedule selects which draws count",
  source = "Zhang et al. 2020, section 5.1 (the cyclical sampler of csgld, section 4.1)",
  tags   = "multimodal cyclical",

  target = cs.target.mixture { means = means, sd = math.sqrt(0.03) },
  chains = 16, seed = 43, start = starts,
  arms   = {
    { name = "sgld", kernel =
        sgld(cs.schedule.polynomial { scale = 0.043, power = 0.55, start = 500 }) },
    { name = "constant", kernel = sgld(0.043) },
    { name = "cycles", kernel = sgld(cosine, from(50 / period)) },
    { name = "late", kernel = sgld(cosine, from(0.8)) },
  },
  budget = { steps = steps },
  warmup = 0, -- counted from the start, as in the paper
  screen = { "lesson", "map", "visits", "energy", "trace", "summary" },

  -- log p: -log 25 - log(2 pi 0.03) - 1 in the mean, modes being far apart.
  claims = {
    { arm = "sgld", stat = "modes_mean", at_most = 5, note = "of 25" },
    { arm = "cycles", stat = "modes_visited", at_least = 25 },
    { arm = "late", stat = "modes_mean", near = 17.65, within = 2,
      note = "25 (1 - (24/25)^30): 30 random modes of 25" },
    { arm = "constant", stat = "modes_mean", at_least = 23,
      note = "a constant rate crosses without cycles" },
    { arm = "cycles", stat = "mode_tv", at_most = 0.15 },
    { arm = "sgld", stat = "mode_tv", at_least = 0.25 },
    { arm = "sgld", stat = "log_density", near = -2.55, within = 0.1,
      note = "correct within the few modes visited" },
    { arm = "late", stat = "log_density", near = -2.55, within = 0.3 },
    { arm = "constant", stat = "log_density", near = -2.55, within = 0.5, holds = false },
    { arm = "cycles", stat = "log_density", near = -2.55, within = 0.5, holds = false,
      note = "draws of large steps are spread too widely" },
  },
}
