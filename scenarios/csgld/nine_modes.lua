-- Four ways to sample nine modes: small steps, cyclical steps, two temperatures, energy
-- bins.
--
-- The middle mode holds 0.307 of the mass, each side mode holds 0.124, and each corner
-- mode holds 0.049. All chains start in a corner, and each may use 200,000 gradients with
-- noise of variance 0.1, as in the csgld paper. `sgld` (constant rate of 0.001) changes
-- mode 46 times. `cyclical` has 20 cycles of falling rates. `replicas` swaps states
-- between temperatures 1 and 3, and makes half the number of steps. `contour` divides p
-- by learned weights of 100 energy bins, and changes mode 1500 times.
--
-- Watch `visits`: every chain of `replicas` and `contour` visits all nine modes. The
-- paper finds `contour` best; here `replicas` is nearer to the target.

-- The rates of `cyclical` start at 0.005. `quiet` is `contour` without energy noise; its
-- draws are weighted by the energy.

local cs = require "chainscope"
local settings = require "paper.settings"

-- `sgld`: the chains have distinct shares of the modes, and R-hat shows it. `cyclical`:
-- rates fall along half a cosine, and the second half of each cycle counts (`stage` on
-- `weight`). The warm-up of 5000 steps is the first half of the first cycle, which has no
-- draws. `cyclical` is slightly nearer to the target than `sgld`. `replicas`: each
-- group consists of two chains, and only the draws of the cold chain count. Swaps use
-- energies with noise of variance 0.1, with a correction that is exact for normal noise
-- of known variance, drawn independently in each test. An accepted swap is carried out
-- with probability 0.1. The error of `replicas` is a quarter of that of `sgld`: a barrier
-- of 6.7 is one of 2.2 at temperature 3. `contour`: its draws are weighted (in figure 3e
-- they are resampled).
--
-- The shares of `contour` have a systematic bias. The middle mode holds 0.307 of the
-- mass. Over four seeds its share of the weight is 0.263 +- 0.010, with weights
-- Psi(U)^zeta (weighing = "energy") 0.261 +- 0.010, and without energy noise (`quiet`)
-- 0.194 +- 0.012. An independent simulation from the paper's formulas with 64 chains
-- gives 0.265 +- 0.008, and without energy noise 0.183 +- 0.008, so the bias comes from
-- the algorithm. With exact masses as fixed weights the share is 0.294 +- 0.011, and
-- 0.291 +- 0.011 without energy noise (independent simulation: 0.303 +- 0.023 and 0.300
-- +- 0.009). So learning causes the bias.
--
-- The weights do not converge to the masses, and change from bin to bin by factors of up
-- to 2.7, up and down. So the multipliers change too, from -2 to 4. A step changes the
-- energy by up to two bins, and no longer follows p / Psi(U)^zeta. Energy noise smooths
-- the weights; without it the bias is larger. Shares of the middle mode without energy
-- noise: 0.194 +- 0.003 with a gain of 0.003, and 0.224 +- 0.006 with weights frozen at
-- their stationary point. With these frozen weights the share is 0.254 at a rate of
-- 0.0005, 0.263 at 0.0002, 0.286 at 0.0001 and 0.275 at 0.00005, all +- 0.01. So this
-- bias falls about as the square root of the rate.
--
-- The paper shows one run per sampler. The paper's program, run three times, had total
-- variation distances from the nine masses of 0.39 to 0.66 (sgld), 0.21 to 0.35
-- (cyclical), 0.09 to 0.18 (replicas) and 0.09 to 0.17 (contour); the claims have ours.
local noise, period = math.sqrt(0.1), 10000

-- Returns f(shares of visits, exact weights) for each chain whose draws count.
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

-- Returns the total variation distance of resampled draws from the target, over
-- cells whose centres are the multiples of 1 / 0.6.
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

local setting = "with the square and the penalty of the program, "
  .. "which the formula lacks; counted by cells, where the paper has pictures; the contour's multiplier at most 5"

return cs.scenario {
  title  = "Nine modes",
  shows  = "How cycles, a hot replica and energy bins help a chain that small steps trap",
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
      note = "4.6 modes have at least a fifth of their mass; in the paper's program 4, 5 and 5" },
    { arm = "sgld", stat = "tv of a chain", measure = tv, near = 0.5, within = 0.1,
      note = "the paper's program, three runs: 0.66, 0.39, 0.55" },
    { arm = "cyclical", than = "sgld", stat = "tv of a chain", measure = tv, relation = "better", better = "less",
      quote = "cycSGLD has a better ability to explore the distribution", where = "section 4.1" },
    { arm = "cyclical", stat = "tv of a chain", measure = tv, at_least = 0.25,
      quote = "still not efficient enough to resolve the local trap issue", where = "section 4.1",
      note = "the paper's program, three runs: 0.21, 0.27, 0.35" },
    { arm = "replicas", than = "sgld", stat = "tv of a chain", measure = tv, relation = "better", better = "less",
      quote = "reSGLD obtains both the exploration and exploitation abilities and yields a much better result", where = "section 4.1" },
    { arm = "replicas", stat = "tv of a chain", measure = tv, near = 0.125, within = 0.05,
      note = "the paper's program, whose swap probability lacks the minimum: 0.175, 0.106, 0.092" },
    { arm = "replicas", stat = "modes of a chain", measure = modes, at_most = 8, holds = false,
      quote = "it becomes difficult to estimate a few modes on the corners", where = "section 4.1",
      note = "8.9 of 9 modes have at least a fifth of their mass; in the paper's program 9, 9 and 9" },
    { arm = "replicas", stat = "modes_visited", at_least = 9, only = "quick" },
    { arm = "replicas", stat = "mode_tv", at_most = 0.1, note = "over all chains" },
    { arm = "replicas", stat = "trips", at_least = 10000,
      note = "round trips to the hot chain and back, in 16 pairs of chains" },
    { arm = "cyclical", stat = "modes_mean", at_most = 8 },
    { arm = "contour", than = "sgld", stat = "jumps", relation = "more",
      quote = "the samples from CSGLD can traverse freely in the parameter space", where = "section 4.1" },
    { arm = "contour", than = "sgld", stat = "tv of a chain", measure = tv, relation = "better", better = "less",
      quote = "eventually achieve a remarkable performance", where = "section 4.1" },
    { arm = "contour", stat = "tv of a chain", measure = tv, near = 0.16, within = 0.05,
      note = "the paper's program, three runs: 0.121, 0.094, 0.167" },
    { arm = "contour", stat = "mode_share", of = 5, near = 0.307, within = 0.01, holds = false,
      note = "the middle mode; biased, since steps span up to two bins of learned weights" },
    { arm = "quiet", stat = "mode_share", of = 5, near = 0.307, within = 0.06, holds = false,
      note = "without energy noise: 0.19, independent simulation 0.18; with exact weights 0.29" },
    { arm = "replicas", stat = "mode_share", of = 5, near = 0.307, within = 0.05 },
    { arm = "contour", stat = "tv, resampled", measure = resampled, near = 0.16, within = 0.06 },
    { arm = "contour", stat = "modes of a chain", measure = modes, at_least = 8.5,
      note = "in three runs of the paper's program: 9, 9 and 8" },
    { arm = "contour", stat = "tv less replicas'", measure = tv_less "replicas", at_most = 0,
      holds = false, note = "at equal work the replicas are nearer, in the paper's program too" },
  },
}
