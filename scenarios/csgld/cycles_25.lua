-- Cyclical step sizes for SGLD find all of 25 modes.
--
-- The target has 25 round modes of variance 0.03 at distances of 2. The gradient has
-- noise of variance 1. `cycles` is cyclical SGLD (stochastic gradient Langevin dynamics):
-- each of 30 cycles starts with rate 0.07 and lowers the rate along half a cosine. Large
-- steps find modes, and small steps sample them. `sgld` has a rate of 0.043 for 500
-- steps; from then on the rate falls as a power of the number of steps.
--
-- Watch `visits`: from 16 starts `sgld` finds three modes per chain, and `cycles` all 25.
-- Then watch `energy`. The exact mean of log p is -2.55, but the mean of `cycles` is
-- -6.8, because draws made with large steps spread too widely. `late` keeps only the last
-- fifth of each cycle. Its mean of log p is -2.6, and it finds 17 modes.

-- `sgld` has the rate that the authors use for the plain sampler. At rates of 0.043
-- to 0.07 the standard deviation of a step is 1.7 to 2.2 times that of a mode.

local cs = require "chainscope"

-- The schedule `stage` is 1 for steps whose draws count, and 0 for the others. `cycles`
-- leaves out only the first 50 steps of each 1667. `constant` stays at the rate 0.043 and
-- finds nearly all modes too, so the falling rate of `sgld` traps its chains, not the
-- lack of cycles. The mean of log p of `constant` is -5.1. `late` differs from `cycles`
-- only in which draws count: in each cycle the counted draws are in one mode, and 30
-- random modes of 25 are 17.7 distinct ones on average. The authors' noise is sqrt(2 rate
-- (1 - rate / 2)) instead of sqrt(2 rate). This removes the variance that gradient noise
-- of variance 1 adds: 3.5 % of the variance of a step at the rate 0.07, and less at lower
-- rates.
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
  warmup = 0, -- steps are counted from the start, as in the paper
  screen = { "lesson", "map", "visits", "energy", "trace", "summary" },

  -- The exact mean of log p is -log 25 - log(2 pi 0.03) - 1, because the modes are
  -- far apart.
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
      note = "draws made with large steps are spread too widely" },
  },
}
