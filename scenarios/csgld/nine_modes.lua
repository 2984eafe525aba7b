-- Nine modes: small steps, cycles of steps, two temperatures.
--
-- The middle one holds 0.307 of the mass, each at a side 0.124, each in a
-- corner 0.049. The gradient has noise of variance 0.1, and all chains begin in
-- a corner well. Each may ask for 200,000 gradients, as in the paper.
--
-- `sgld` has the rate 0.001 always. It goes from mode to mode 46 times in all,
-- and gives each chain a picture of its own: R-hat sees that.
--
-- `cyclical` has 20 cycles that begin at 0.005 and fall along half a cosine;
-- the second half of each counts (`stage` on `weight`). It is somewhat nearer.
--
-- `replicas` have two chains each, at temperatures 1 and 3, and make half as
-- many steps; only the cold chain counts. They swap states by energies with
-- noise of variance 0.1, with a correction for just that: it is exact for
-- normal noise of known variance, drawn anew at each test. A swap that passes
-- is carried out with chance 0.1. They have all nine modes in every chain, and
-- a quarter of the error: a barrier of 6.7 is one of 2.2 at temperature 3.
--
-- The paper shows pictures of one run each. Their program, run three times, had
-- total variations from the nine masses of 0.39 to 0.66, 0.21 to 0.35, and 0.09
-- to 0.18; the claims have ours. Its fourth sampler has a contour of energies:
-- contour.lua.
local cs = require "chainscope"

local noise, period = math.sqrt(0.1), 10000

local function mean(list)
  local sum = 0
  for _, x in ipairs(list) do sum = sum + x end
  return sum / #list
end

-- f(shares of a chain's visits, exact weights), for each chain that counts.
local function each_chain(arm, f)
  local weight, out = arm:report("modes/weight"), {}
  for c, row in ipairs(arm:report("modes/visits")) do
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

local function tv(arm) return each_chain(arm, variation), mean end
local function modes(arm) return each_chain(arm, identified), mean end
local function tv_less_sgld(arm)
  local out, other = each_chain(arm, variation), each_chain(arm.run:arm("sgld"), variation)
  for c, x in ipairs(out) do out[c] = x - other[c] end
  return out, mean
end

local setting = "16 runs for 1, with the square and the penalty that the program has and "
  .. "the formula has not; counted by cells, where the paper has pictures"

return cs.scenario {
  title  = "Nine modes",
  shows  = "What cycles and a hot twin do for a chain that small steps lock in",
  source = "csgld, section 4.1, figure 3",

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
  },
  budget = { gradients = 16 * 200000 },
  warmup = 5000,
  setting = setting,
  full   = { seeds = 4, setting = "4 times " .. setting },
  screen = { "lesson", "map", "visits", "trace", "summary" },

  claims = {
    { arm = "sgld", stat = "modes of a chain", measure = modes, at_most = 3.5, holds = false,
      paper = "SGLD only identifies three modes (fig. 3b)",
      note = "4.6 have a fifth of their mass; its program: 4, 5, 5" },
    { arm = "sgld", stat = "tv of a chain", measure = tv, near = 0.5, within = 0.1,
      note = "their program, three runs: 0.66, 0.39, 0.55" },
    { arm = "cyclical", stat = "tv less sgld's", measure = tv_less_sgld, at_most = 0,
      paper = "cycSGLD has a better ability to explore (fig. 3c) ..." },
    { arm = "cyclical", stat = "tv of a chain", measure = tv, at_least = 0.25,
      paper = "... still not efficient enough (fig. 3c)",
      note = "their program: 0.21, 0.27, 0.35" },
    { arm = "replicas", stat = "tv less sgld's", measure = tv_less_sgld, at_most = -0.25,
      paper = "reSGLD yields a much better result (fig. 3d) ..." },
    { arm = "replicas", stat = "tv of a chain", measure = tv, near = 0.125, within = 0.05,
      note = "their program, whose swaps lack the minimum: 0.175, 0.106, 0.092" },
    { arm = "replicas", stat = "modes of a chain", measure = modes, at_most = 8, holds = false,
      paper = "... difficult to estimate a few modes on the corners (fig. 3d)",
      note = "8.9 of 9 have a fifth of their mass; its program: 9, 9, 9" },
    { arm = "replicas", stat = "modes_visited", at_least = 9, only = "quick" },
    { arm = "replicas", stat = "mode_tv", at_most = 0.1, note = "of all chains together" },
    { arm = "replicas", stat = "trips", at_least = 10000,
      note = "to the hot chain and back, of 16 ladders" },
    { arm = "cyclical", stat = "modes_mean", at_most = 8 },
  },
}
