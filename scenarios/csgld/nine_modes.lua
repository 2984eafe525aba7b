-- Nine modes: small steps, cycles of steps, two temperatures, a contour.
--
-- The middle one holds 0.307 of the mass, each at a side 0.124, each in a
-- corner 0.049. The gradient has noise of variance 0.1, and all chains begin in
-- a corner well. Each may ask for 200,000 gradients, as in the paper.
--
-- `sgld` has the rate 0.001 always. A chain goes from mode to mode 46 times,
-- and gives each chain a picture of its own: R-hat sees that.
--
-- `cyclical` has 20 cycles that begin at 0.005 and fall along half a cosine;
-- the second half of each counts (`stage` on `weight`): the warm-up of 5000 steps
-- is the first half of the first one, of which no draw counts. It is somewhat
-- nearer.
--
-- `replicas` have two chains each, at temperatures 1 and 3, and make half as
-- many steps; only the cold chain counts. They swap states by energies with
-- noise of variance 0.1, with a correction for just that: it is exact for
-- normal noise of known variance, drawn anew at each test. A swap that passes
-- is carried out with chance 0.1. They have all nine modes in every chain, and
-- a quarter of the error: a barrier of 6.7 is one of 2.2 at temperature 3.
--
-- `contour` learns the weights of 100 bins of energy, and samples p with these
-- divided out: it goes from mode to mode 1500 times a chain, and its draws are
-- weighed (figure 3e has them resampled). All nine modes are there in every chain.
-- The paper shows it last and best; counted, `replicas` are nearer.
--
-- Its shares have a bias, and not by chance: over four seeds the middle mode, 0.307 of
-- the mass, has 0.263 +- 0.010 of the weight, by Psi(U)^zeta (weighing = "energy")
-- 0.261 +- 0.010, and without noise of the energy 0.194 +- 0.012 (`quiet`). A simulation
-- written by hand from the paper's formulas has 0.265 +- 0.008 and 0.183 +- 0.008 of 64
-- chains: it is the algorithm. With the exact masses as weights, which do not change, it is
-- 0.294 +- 0.011 and 0.291 +- 0.011, by hand 0.303 +- 0.023 and 0.300 +- 0.009, so learning
-- makes the difference. Where the weights
-- come to rest they are not the masses, and go up and down from a bin to the next by
-- factors of up to 2.7; so do the multipliers, from -2 to 4. A step changes the energy
-- by up to two bins, and no longer follows p / Psi(U)^zeta. Without noise of the
-- energy, which smooths the weights, it is worse: at a gain of 0.003 0.194 +- 0.003
-- of the weight is in the middle, with weights frozen where they rest 0.224 +- 0.006,
-- and with the same ones at rates of 0.0005, 0.0002, 0.0001 and 0.00005 it is 0.254,
-- 0.263, 0.286 and 0.275, +- 0.01: this bias falls about as the root of the rate.
--
-- The paper has pictures of one run each. Their program, run three times, had total
-- variations from the nine masses of 0.39 to 0.66, 0.21 to 0.35, 0.09 to 0.18, and
-- of the contour 0.09 to 0.17; the claims have ours.
local cs = require "chainscope"
local settings = require "paper.settings"

local noise, period = math.sqrt(0.1), 10000

-- f(shares of a chain's visits, exact weights), for each chain that counts.
local function each_chain(arm, f)
  local weight, out = arm:report("modes/weight"), {}
  for c, row in ipairs(arm:report("modes/mass") or arm:report("modes/visits")) do
    local shares, total = {}, 0
    for _, v in ipairs(row) do total = total + v end
    for k, v in ipairs(row) do shares[k] = v / total end
    out[c] = f(shares, weight)
  end
  return out
end

local function variation(shares, weight)
  local sum = 0
  for k, e in ipairs(shares) do sum = sum + math.abs(e - weight[k]) / 2 end
  return sum
end

local function identified(shares, weight)
  local n = 0
  for k, e in ipairs(shares) do n = n + (e > 0.2 * weight[k] and 1 or 0) end
  return n
end

local function tv(arm) return each_chain(arm, variation) end
local function modes(arm) return each_chain(arm, identified) end
local function tv_less(name)
  return function(arm)
    local out, other = each_chain(arm, variation), each_chain(arm.run:arm(name), variation)
    for c, x in ipairs(out) do out[c] = x - other[c] end
    return out
  end
end

-- The same of resampled draws, by the cells round multiples of 1 / 0.6.
local function resampled(arm)
  local mass, out = { [0] = 0.30722, 0.12367, 0.04953 }, {}
  for c = 1, #arm.chains do
    local n, rows, sum = {}, arm:chain(c):resample(2000), 0
    for _, x in ipairs(rows) do
      local key = (x[1] * 0.6 + 0.5) // 1 * 3 + (x[2] * 0.6 + 0.5) // 1
      n[key] = (n[key] or 0) + 1
    end
    for i = -1, 1 do
      for j = -1, 1 do
        sum = sum + math.abs((n[3.0 * i + j] or 0) / #rows - mass[i * i + j * j]) / 2
      end
    end
    out[c] = sum
  end
  return out
end

-- Appendix D.3: min(0.003, 10 / (k^0.8 + 100)).
local gain = cs.schedule.gain { scale = 10, power = 0.8, offset = 100, max = 0.003 }

local setting = "with the square and the penalty that the program has and "
  .. "the formula has not; counted by cells, where the paper has pictures; the contour's multiplier at most 5"

return cs.scenario {
  title  = "Nine modes",
  shows  = "What cycles, a hot twin and a contour do for a chain that small steps lock in",
  source = "csgld, section 4.1 and appendix D.3, figure 3",
  tags   = "multimodal flat-histogram",

  target = cs.target.nine_modes {},
  chains = 16, seed = 46, start = { 2, 2 },
  arms   = {
    { name = "sgld", kernel = cs.kernel.sgld { rate = 1e-3, gradient_noise = noise } },
    { name = "cyclical", kernel = cs.kernel.sgld {
        rate = cs.schedule.cosine { max = 5e-3, min = 0, period = period, shape = "smooth" },
        weight = cs.schedule.stage { period = period, begin = 0.5 },
        gradient_noise = noise } },
    { name = "replicas", kernel = cs.kernel.replica_exchange_sgld {
        rate = 1e-3, rungs = 2, hottest = 3, intensity = 0.1,
        gradient_noise = noise, energy_noise = noise } },
    { name = "contour", kernel = cs.kernel.csgld {
        rate = 1e-3, bins = 100, width = 0.25, first = -6.415, -- the least energy is -6.665
        gain = gain, gradient_noise = noise, energy_noise = noise } },
    { name = "quiet", kernel = cs.kernel.csgld {
        rate = 1e-3, bins = 100, width = 0.25, first = -6.415, weighing = "energy",
        gain = gain, gradient_noise = noise } },
  },
  budget = { gradients = 16 * 200000 },
  warmup = 5000,
  printed = settings.nine_modes,
  setting = setting,
  full   = { seeds = 4, setting = setting },
  screen = { "lesson", "map", "visits", { "bins", arm = "contour" }, "trace", "summary" },

  claims = {
    { arm = "sgld", stat = "modes of a chain", measure = modes, at_most = 3.5, holds = false,
      quote = "SGLD spends too much time in local regions and only identifies three modes", where = "section 4.1",
      note = "4.6 have a fifth of their mass; its program: 4, 5, 5" },
    { arm = "sgld", stat = "tv of a chain", measure = tv, near = 0.5, within = 0.1,
      note = "their program, three runs: 0.66, 0.39, 0.55" },
    { arm = "cyclical", than = "sgld", stat = "tv of a chain", measure = tv, relation = "better", better = "less",
      quote = "cycSGLD has a better ability to explore the distribution", where = "section 4.1" },
    { arm = "cyclical", stat = "tv of a chain", measure = tv, at_least = 0.25,
      quote = "still not efficient enough to resolve the local trap issue", where = "section 4.1",
      note = "their program: 0.21, 0.27, 0.35" },
    { arm = "replicas", than = "sgld", stat = "tv of a chain", measure = tv, relation = "better", better = "less",
      quote = "reSGLD obtains both the exploration and exploitation abilities and yields a much better result", where = "section 4.1" },
    { arm = "replicas", stat = "tv of a chain", measure = tv, near = 0.125, within = 0.05,
      note = "their program, whose swaps lack the minimum: 0.175, 0.106, 0.092" },
    { arm = "replicas", stat = "modes of a chain", measure = modes, at_most = 8, holds = false,
      quote = "it becomes difficult to estimate a few modes on the corners", where = "section 4.1",
      note = "8.9 of 9 have a fifth of their mass; its program: 9, 9, 9" },
    { arm = "replicas", stat = "modes_visited", at_least = 9, only = "quick" },
    { arm = "replicas", stat = "mode_tv", at_most = 0.1, note = "of all chains together" },
    { arm = "replicas", stat = "trips", at_least = 10000,
      note = "to the hot chain and back, of 16 ladders" },
    { arm = "cyclical", stat = "modes_mean", at_most = 8 },
    { arm = "contour", than = "sgld", stat = "jumps", relation = "more",
      quote = "the samples from CSGLD can traverse freely in the parameter space", where = "section 4.1" },
    { arm = "contour", than = "sgld", stat = "tv of a chain", measure = tv, relation = "better", better = "less",
      quote = "eventually achieve a remarkable performance", where = "section 4.1" },
    { arm = "contour", stat = "tv of a chain", measure = tv, near = 0.16, within = 0.05,
      note = "their program, three runs: 0.121, 0.094, 0.167" },
    { arm = "contour", stat = "mode_share", of = 5, near = 0.307, within = 0.01, holds = false,
      note = "the middle one; biased by steps of up to two bins between weights that are learned" },
    { arm = "quiet", stat = "mode_share", of = 5, near = 0.307, within = 0.06, holds = false,
      note = "learned without noise of the energy: 0.19, by hand 0.18; with exact weights 0.29" },
    { arm = "replicas", stat = "mode_share", of = 5, near = 0.307, within = 0.05 },
    { arm = "contour", stat = "tv, resampled", measure = resampled, near = 0.16, within = 0.06 },
    { arm = "contour", stat = "modes of a chain", measure = modes, at_least = 8.5,
      note = "their program: 9, 9, 8" },
    { arm = "contour", stat = "tv less replicas'", measure = tv_less "replicas", at_most = 0,
      holds = false, note = "at equal work the replicas are nearer, in their program as in ours" },
  },
}
