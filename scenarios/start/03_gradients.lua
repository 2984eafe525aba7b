-- Random walk, MALA and HMC on a correlated Gaussian.
--
-- Twenty coordinates, each correlated 0.95 with its neighbour: a long thin ridge.
-- A random walk must take steps as short as the ridge is thin, and needs very many
-- of them to walk along it. MALA shifts each proposal towards higher density. HMC
-- gives the chain a random momentum and follows the slope for some leapfrog steps
-- before it decides whether to accept: it moves along the ridge.
--
-- How many leapfrog steps? In each direction of the ridge the path swings like a
-- pendulum. With the same number every time, some direction returns to where it
-- was, step after step, and never forgets. So the number cycles from 6 to 18: a
-- schedule, written as a function of the step.
--
-- A step of HMC costs twelve times a step of the walk. So the budget counts
-- evaluations, not steps, and all three get the same number of them.
--
-- Try: always 12 leapfrog steps. The coordinates still look well, but look at the
-- trace of the energy, and at its R-hat in the summary.
--
--     :set hmc.leapfrogs 12
local cs = require "chainscope"

return cs.scenario {
  title  = "Random walk, MALA, HMC",
  shows  = "What a gradient buys on a narrow ridge, at equal work",
  source = "Neal, MCMC using Hamiltonian dynamics, 2011, section 3",
  tags   = "lesson gradient ridge",

  target = cs.target.gaussian { dim = 20, rho = 0.95 },
  chains = 4, seed = 3,
  arms   = {
    walk = cs.kernel.random_walk { step = 0.12 },
    mala = cs.kernel.mala { step = 0.2 },
    hmc  = cs.kernel.hmc {
      step = 0.2, jitter = 0, leapfrogs = function(step) return 6 + step % 13 end,
    },
  },
  budget = { log_densities = 80000, gradients = 80000 },
  speed  = 500, -- steps a second on the screen: + faster, = as fast as it goes
  screen = { "lesson", "trace", "map", "energy", "acceptance", "summary" },

  -- Steps near their best shares of acceptance: 0.234 for the walk, 0.574 for
  -- MALA, 0.651 and more for HMC. Then: independent draws per 1000 evaluations.
  claims = {
    { arm = "walk", stat = "acceptance", near = 0.27, within = 0.05, note = "0.234 is best" },
    { arm = "mala", stat = "acceptance", near = 0.57, within = 0.05, note = "0.574 is best" },
    { arm = "hmc", stat = "acceptance", at_least = 0.6, note = "0.651 and more is best" },
    { arm = "walk", stat = "ess_per_work", at_most = 1.5 },
    { arm = "mala", stat = "ess_per_work", at_most = 2 },
    { arm = "hmc", stat = "ess_per_work", at_least = 3 },
    { arm = "hmc", stat = "rhat", at_most = 1.05 },
    { arm = "walk", stat = "ess", at_most = 120,
      note = "80,000 evaluations: the walks have hardly met, as R-hat sees" },
  },
}
