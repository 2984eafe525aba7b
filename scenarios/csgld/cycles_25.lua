-- Cycles of the rate: 25 modes.
--
-- Twenty-five round modes of variance 0.03, two apart, and a gradient with
-- noise of variance 1. Cyclical SGLD begins each of 30 cycles with the rate
-- 0.07 and lets it fall along half a cosine: large steps find modes, small ones
-- describe them. What counts is up to `weight`: a schedule `stage` that is 0,
-- then 1.
--
-- `sgld` is the rate that its authors give the plain sampler: 0.043 for 500
-- steps, then falling as a power of the step. From 16 starts it finds three
-- modes a chain, `cycles` all 25: see `visits`. That is what they showed. But
-- look once more, at `energy`.
--
-- `constant` stays at 0.043, and finds nearly all modes too. It is the falling
-- rate that locks the chain in, not the want of cycles.
--
-- At 0.043 a step is 1.4 variances of a mode long, at 0.07 over 2, where a
-- chain is thrown out of every mode. Such draws are spread far too wide. The
-- mean of log p is -2.55; `constant` has -5.1, and `cycles`, which leaves out
-- only the first 50 steps of each 1667, -6.8.
--
-- `late` counts the last fifth of each cycle: -2.6, as it should be, and 17
-- modes. There the chain stays in its mode, so that 30 cycles are 30 throws at
-- 25 modes, and such hit 17.7. Nothing differs from `cycles` but which draws
-- count.
--
-- Their noise is sqrt(2 rate (1 - rate / 2)) for our sqrt(2 rate): it takes off
-- what the gradient's noise of variance 1 adds, 3.5 in a hundred of the
-- variance of a step at 0.07, and less as the rate falls.
local cs = require "chainscope"

local steps, cycles = 50000, 30
local period = math.ceil(steps / cycles)

local means = {}
for x = -4, 4, 2 do
  for y = -4, 4, 2 do means[#means + 1] = { x, y } end
end

-- Evenly over [-10, 10]^2, as a sequence of Kronecker's.
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
  title  = "Cycles of the rate",
  shows  = "Large steps find modes, small steps describe them, and a stage says which count",
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
  warmup = 0, -- counted from the start, as they do
  screen = { "lesson", "map", "visits", "energy", "trace", "summary" },

  -- log p: -log 25 - log(2 pi 0.03) - 1 in the mean, modes being far apart.
  claims = {
    { arm = "sgld", stat = "modes_mean", at_most = 5, note = "of 25" },
    { arm = "cycles", stat = "modes_visited", at_least = 25 },
    { arm = "late", stat = "modes_mean", near = 17.65, within = 2,
      note = "25 (1 - (24/25)^30): of 30 throws at 25 modes" },
    { arm = "constant", stat = "modes_mean", at_least = 23,
      note = "a rate that does not fall needs no cycles to cross" },
    { arm = "cycles", stat = "mode_tv", at_most = 0.15 },
    { arm = "sgld", stat = "mode_tv", at_least = 0.25 },
    { arm = "sgld", stat = "log_density", near = -2.55, within = 0.1,
      note = "right within the few modes" },
    { arm = "late", stat = "log_density", near = -2.55, within = 0.3 },
    { arm = "constant", stat = "log_density", near = -2.55, within = 0.5, holds = false },
    { arm = "cycles", stat = "log_density", near = -2.55, within = 0.5, holds = false,
      note = "draws of large steps are spread too wide" },
  },
}
