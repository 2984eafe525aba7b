-- Random walk, MALA and HMC on a correlated Gaussian, at equal work.
--
-- The target is a long narrow ridge: each of twenty coordinates has a correlation of 0.95
-- with the next. `walk`, a random walk, needs very many short steps. MALA
-- (Metropolis-adjusted Langevin) shifts each proposal towards higher density. HMC
-- (Hamiltonian Monte Carlo) draws a random momentum and follows the gradient for several
-- leapfrog steps before it accepts or rejects, so it moves along the ridge. The budget
-- counts evaluations: a step of HMC takes about twelve, a step of `walk` one.
--
-- Try a fixed number of 12 leapfrog steps. The coordinates still look fine; check the
-- trace of the energy, and R-hat of the energy in the summary.
--     :set hmc.leapfrogs 12
local cs = require "chainscope"

return cs.scenario {
  title  = "Random walk, MALA, HMC",
  shows  = "How much a gradient helps on a narrow ridge, at equal work",
  source = "Neal, MCMC using Hamiltonian dynamics, 2011, section 3",
  tags   = "lesson gradient ridge",

  target = cs.target.gaussian { dim = 20, rho = 0.95 },
  chains = 4, seed = 3,
  -- In each direction of the ridge a trajectory swings like a pendulum. With a fixed
  -- number of leapfrog steps, some direction returns to its starting point at every step
  -- and never mixes. So the number of leapfrog steps cycles from 6 to 18. It follows a
  -- schedule, which is written as a function of the step number.
  arms   = {
    walk = cs.kernel.random_walk { step = 0.12 },
    mala = cs.kernel.mala { step = 0.2 },
    hmc  = cs.kernel.hmc {
      step = 0.2, jitter = 0, leapfrogs = function(step) return 6 + step % 13 end,
    },
  },
  budget = { log_densities = 80000, gradients = 80000 },
  speed  = 500, -- steps per second; the key + raises the speed, = selects full speed
  screen = { "lesson", "map", "trace", "energy", "acceptance", "summary" },

  -- With these step sizes the acceptance rates are nearly optimal, which means 0.234
  -- for the walk, 0.574 for MALA and at least 0.651 for HMC. ess_per_work is the
  -- number of effective draws per 1000 evaluations.
  claims = {
    { arm = "walk", stat = "acceptance", near = 0.27, within = 0.05, note = "0.234 is optimal" },
    { arm = "mala", stat = "acceptance", near = 0.57, within = 0.05, note = "0.574 is optimal" },
    { arm = "hmc", stat = "acceptance", at_least = 0.6, note = "0.651 or more is optimal" },
    { arm = "walk", stat = "ess_per_work", at_most = 1.5 },
    { arm = "mala", stat = "ess_per_work", at_most = 2 },
    { arm = "hmc", stat = "ess_per_work", at_least = 3 },
    { arm = "hmc", stat = "rhat", at_most = 1.05 },
    { arm = "walk", stat = "ess", at_most = 120,
      note = "after 80,000 evaluations the walks have hardly mixed, and R-hat shows this" },
  },
}
