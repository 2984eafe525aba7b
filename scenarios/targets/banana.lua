-- Rosenbrock's banana: a valley that bends.
--
-- Optimisers meet this function as a test; as a density it is a bent ridge. x1
-- is normal around 1 with variance 10, and x2 follows x1^2 within 0.7: the ridge
-- is a hundred times as long as it is wide, and no straight direction leads
-- along it. (A factor of 20 where the function has 100.) Its moments are known
-- exactly, which makes it a good judge.
--
-- A random walk that fits the width shuffles along and rarely sees the tips.
-- MALA knows which way is downhill, across the ridge, and that is not where to
-- go. HMC is pushed around the bend, if its step fits the tips, where the ridge
-- is steepest: at x1 = 10 a leapfrog longer than 2 / sqrt(8 * 100) = 0.07
-- diverges. `hasty` takes three times that. It accepts four proposals of five,
-- its chains agree, and it has cut off the tips: its deviation of x2 is too
-- small, and nothing but the truth would tell.
--
-- All arms get the same number of evaluations.
local cs = require "chainscope"

-- 60 to 180 leapfrogs, and a third of that: the same distance.
local function long(step) return 60 + step * 37 % 121 end
local function short(step) return 20 + step * 37 % 41 end

return cs.scenario {
  title  = "Rosenbrock's banana",
  shows  = "A bend is harder than a narrow ridge: no straight step follows it",
  source = "Goodman and Weare 2010, section 4; Pagani, Wiegand and Nadarajah 2022",

  target = cs.target {
    name  = "rosenbrock",
    space = cs.real(2),
    view  = { -10, 12, -10, 100 },
    log_density = function(x)
      return -(20 * (x[2] - x[1]^2)^2 + (1 - x[1])^2) / 20
    end,
  },
  chains = 8, seed = 31,
  arms   = {
    walk  = cs.kernel.random_walk { step = 1.2 },
    mala  = cs.kernel.mala { step = 0.35 },
    hmc   = cs.kernel.hmc { step = 0.06, leapfrogs = long, jitter = 0 },
    hasty = cs.kernel.hmc { step = 0.18, leapfrogs = short, jitter = 0 },
  },
  budget = { log_densities = 4000000, gradients = 4000000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- x1 is N(1, 10) and x2 = x1^2 + N(0, 1/2): means 1 and 11, deviations
  -- 3.1623 and sqrt(240.5) = 15.5081.
  claims = {
    { arm = "hmc", stat = "mean", of = 1, near = 1, within = 0.5 },
    { arm = "hmc", stat = "sd", of = 1, near = 3.1623, within = 0.2 },
    { arm = "hmc", stat = "mean", of = 2, near = 11, within = 2.5 },
    { arm = "hmc", stat = "sd", of = 2, near = 15.5081, within = 4 },
    { arm = "hmc", stat = "ess_per_work", at_least = 0.05 },
    { arm = "walk", stat = "ess_per_work", at_most = 0.15 },
    { arm = "mala", stat = "ess_per_work", at_most = 0.06,
      note = "less than the walk: the slope points across the valley" },
    { arm = "hasty", stat = "acceptance", at_least = 0.75 },
    { arm = "hasty", stat = "rhat", at_most = 1.05 },
    { arm = "hasty", stat = "sd", of = 2, at_most = 6,
      note = "15.5 is right: agreement of chains is no proof" },
  },
}
