-- Rosenbrock's banana: a curved valley.
--
-- This test function for optimisers is used as a density. x1 is normal around 1 with
-- variance 10, and x2 is normal around x1^2 with standard deviation 0.7. The density is a
-- curved ridge, a hundred times as long as wide, so no straight direction follows it. Its
-- moments are known exactly. All arms get the same number of evaluations.
--
-- A random walk with steps as wide as the ridge is slow and rarely visits the tips. The
-- gradient that MALA uses points across the ridge. HMC (Hamiltonian Monte Carlo) follows
-- the curve if its step suits the tips, where the ridge is steepest. Watch `hasty`, HMC
-- with three times that step. It accepts four of five proposals and its chains agree, but
-- they miss the tips. Its deviation of x2 is too small, and no diagnostic shows this.
local cs = require "chainscope"

-- The number of leapfrog steps is 60 to 180 for `hmc` and a third of that for `hasty`:
-- the trajectories have the same lengths.
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
  -- The density has a factor of 20 where Rosenbrock's function has 100. At x1 = 10 a
  -- leapfrog step longer than 2 / sqrt(8 * 100) = 0.07 diverges; `hmc` stays below it.
  arms   = {
    walk  = cs.kernel.random_walk { step = 1.2 },
    mala  = cs.kernel.mala { step = 0.35 },
    hmc   = cs.kernel.hmc { step = 0.06, leapfrogs = long, jitter = 0 },
    hasty = cs.kernel.hmc { step = 0.18, leapfrogs = short, jitter = 0 },
  },
  budget = { log_densities = 4000000, gradients = 4000000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- x1 is N(1, 10) and x2 = x1^2 + N(0, 1/2). So the means are 1 and 11, and
  -- the standard deviations are 3.1623 and sqrt(240.5) = 15.5081.
  claims = {
    { arm = "hmc", stat = "mean", of = 1, near = 1, within = 0.5 },
    { arm = "hmc", stat = "sd", of = 1, near = 3.1623, within = 0.2 },
    { arm = "hmc", stat = "mean", of = 2, near = 11, within = 2.5 },
    { arm = "hmc", stat = "sd", of = 2, near = 15.5081, within = 4 },
    { arm = "hmc", stat = "ess_per_work", at_least = 0.05 },
    { arm = "walk", stat = "ess_per_work", at_most = 0.15 },
    { arm = "mala", stat = "ess_per_work", at_most = 0.06,
      note = "less than the random walk: the gradient points across the valley" },
    { arm = "hasty", stat = "acceptance", at_least = 0.75 },
    { arm = "hasty", stat = "rhat", at_most = 1.05 },
    { arm = "hasty", stat = "sd", of = 2, at_most = 6,
      note = "exact: 15.5; the agreement of chains does not prove convergence" },
  },
}
