-- Sharp and flat modes of sixteen states: a biased sampler and an exact one.
--
-- States 3 (0010) and 8 (0111) of four bits are sharp modes: their neighbours have little
-- mass. States 5 (0100) and 10 (1001) are flat modes. DULA (discrete unadjusted Langevin)
-- accepts every proposal, so it is biased: the larger the step, the more mass the sharp
-- modes lose. DMALA adds an accept step, which costs a second gradient, and is exact.
--
-- From 1000 steps the edlp paper (Mohanty et al. 2025) concludes that both samplers
-- prefer the sharp modes, which is impossible in the long run. But chains mix slowly: at
-- the paper's step of 0.1 DMALA moves in only 2.3 % of its steps. So the share of the
-- sharp modes varies by 0.09 between such runs (the exact share is 0.293).
local cs = require "chainscope"
local settings = require "paper.settings"

-- Makes a hundred runs like the paper's: four chains of 1000 steps from random starts,
-- without the first 200. Returns the share of the two sharp modes in each run.
local function short_runs(arm)
  local runs, list = 100, {}
  local short = cs.open { target = cs.target.bernoulli4 {}, chains = 4 * runs, seed = arm.run.seed,
                          arms = { cs.kernel.dmala { step = 0.1 } }, probes = { "modes", only = true } }
  short:step(200)
  local before = short:arm(1):report "modes/visits"
  short:step(800)
  local after = short:arm(1):report "modes/visits"
  for k = 1, runs do
    local sharp = 0
    for c = 4 * k - 3, 4 * k do
      for _, mode in ipairs { 3, 8 } do sharp = sharp + after[c][mode] - before[c][mode] end
    end
    list[k] = sharp / 3200
  end
  return list
end
local function spread(list)
  local mean, squares = 0, 0
  for _, x in ipairs(list) do mean = mean + x / #list end
  for _, x in ipairs(list) do squares = squares + (x - mean) ^ 2 end
  return math.sqrt(squares / (#list - 1))
end

return cs.scenario {
  title  = "Sharp and flat modes",
  shows  = "Without an accept step the bias grows with the step size",
  source = "edlp, sections 6.1 and E.1",
  tags   = "flat-modes",

  target = cs.target.bernoulli4 {},
  chains = 4, seed = 8,
  arms   = {
    dula_small  = cs.kernel.dula { step = 0.1225 },
    dula        = cs.kernel.dula { step = 0.2 },
    dula_large  = cs.kernel.dula { step = 1 },
    dmala_small = cs.kernel.dmala { step = 0.1 },
    dmala       = cs.kernel.dmala { step = 1 },
  },
  budget = { steps = 100000 },
  warmup = 0, -- steps are counted from the start, as in the paper
  printed = settings.bernoulli,
  setting = "several step sizes: the paper states none for DULA and DMALA",
  full   = { budget = { steps = 1000000 }, chains = 16, setting = "several step sizes: the paper states none for DULA and DMALA" },
  screen = { "visits", "trace", "energy", "acceptance", "summary" },

  -- Exact values from the 16 x 16 transition matrix of each sampler: total variation
  -- distance to the target, flips per step, acceptance, share of steps that move.
  claims = {
    { arm = "dula", stat = "mode_tv", near = 0.03835, within = 0.01, exact = 0.03835 },
    { arm = "dula_large", stat = "mode_tv", near = 0.16053, within = 0.005, exact = 0.16053 },
    { arm = "dula_small", stat = "hamming", exact = 0.05972 },
    { arm = "dula", stat = "hamming", exact = 0.27962 },
    { arm = "dula_large", stat = "hamming", exact = 1.48796 },
    { arm = "dmala", stat = "mode_tv", at_most = 0.01 },
    { arm = "dmala", stat = "acceptance", exact = 0.767284 },
    { arm = "dmala", stat = "moved", exact = 0.55824 },
    { arm = "dmala_small", stat = "acceptance", exact = 0.999842 },
    { arm = "dmala_small", stat = "moved", exact = 0.02349, note = "at the paper's step" },
    -- Do DULA and DMALA prefer the sharp modes? The exact mass of state 3 is 0.125, that
    -- of state 8 is 0.1676.
    { arm = "dmala", stat = "mode_share", of = 8, at_least = 0.18, exact = 0.167570,
      holds = false, quote = "DULA and DMALA show a bias toward the sharp modes", where = "section 6.1",
      note = "in the long run the share is exactly 0.1676" },
    { arm = "dula_large", stat = "mode_share", of = 8, at_least = 0.1676, holds = false,
      quote = "DULA and DMALA show a bias toward the sharp modes", where = "section 6.1",
      note = "DULA's bias is away from the sharp modes" },
    { arm = "dula_large", stat = "mode_share", of = 3, at_most = 0.1 },
    -- Claims on the precision of a run like the paper's.
    { arm = "dmala_small", stat = "spread of the sharp modes' share over short runs", at_least = 0.05,
      measure = function(arm) return short_runs(arm), spread end,
      note = "four chains of 800 steps; the exact share is 0.293" },
  },
}
