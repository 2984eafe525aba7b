-- Sharp and flat modes: sixteen states, two samplers.
--
-- Four bits, so every probability is known. States 3 (0010) and 8 (0111) are
-- sharp: heavy, among light neighbours. States 5 (0100) and 10 (1001) are
-- flat: about as heavy as their neighbours.
--
-- DULA takes each proposal as it comes. The state that it settles in is then
-- not quite the target, and the larger the step the farther it is off; what it
-- loses is mass in the sharp modes. DMALA adds an accept step and is exact at
-- any step: the accept step costs a second gradient and buys the truth.
--
-- The paper runs 1000 steps of each and finds that DULA and DMALA lean towards
-- the sharp modes. In the long run that cannot be: DMALA has no leaning, and
-- DULA's is away from them. What 1000 steps show at the paper's step is slow
-- mixing: DMALA at step 0.1 moves in 2.3 % of its steps. Of a hundred runs like the
-- paper's the share of the two sharp modes, 0.293 exactly, scatters by 0.09: what one
-- of them shows is chance.
local cs = require "chainscope"
local settings = require "paper.settings"

-- Runs like the paper's: four chains of 1000 steps from anywhere, the first 200
-- left out. Of a hundred such runs the share of the two sharp modes in each.
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
  warmup = 0, -- counted from the start, as in the paper
  printed = settings.bernoulli,
  setting = "steps of several sizes: the paper prints none of DULA and DMALA",
  full   = { budget = { steps = 1000000 }, chains = 16, setting = "steps of several sizes: the paper prints none of DULA and DMALA" },
  screen = { "visits", "trace", "energy", "acceptance", "summary" },

  -- Exact figures, from the 16 x 16 transition matrix of each sampler: total
  -- variation to the target, flips a step, acceptance, share of steps that move.
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
    { arm = "dmala_small", stat = "moved", exact = 0.02349, note = "the paper's step" },
    -- Do DULA and DMALA prefer the sharp modes? Their masses are 0.125, 0.1676.
    { arm = "dmala", stat = "mode_share", of = 8, at_least = 0.18, exact = 0.167570,
      holds = false, quote = "DULA and DMALA show a bias toward the sharp modes", where = "section 6.1",
      note = "it is exact: 0.1676 in the long run" },
    { arm = "dula_large", stat = "mode_share", of = 8, at_least = 0.1676, holds = false,
      quote = "DULA and DMALA show a bias toward the sharp modes", where = "section 6.1",
      note = "its bias is away from them" },
    { arm = "dula_large", stat = "mode_share", of = 3, at_most = 0.1 },
    -- What such a run as the paper's can tell of it.
    { arm = "dmala_small", stat = "spread of the sharp modes' share over short runs", at_least = 0.05,
      measure = function(arm) return short_runs(arm), spread end,
      note = "of four chains of 800 steps; the exact share is 0.293" },
  },
}
