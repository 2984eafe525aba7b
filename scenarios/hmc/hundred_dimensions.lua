-- A random walk, MALA and HMC in a hundred dimensions.
--
-- The target is a hundred independent standard normals: no direction is narrow, and each
-- kernel has its best step, so only the dimension d matters. A random walk needs steps of
-- about 2.4 / sqrt(d), so its cost per independent draw grows like d. HMC (Hamiltonian
-- Monte Carlo) keeps its direction along a trajectory, and its energy error allows steps
-- of about d^(-1/4), so its cost grows like d^(1/4). MALA is HMC with trajectories of one
-- step; its cost grows like d^(1/3). Every arm makes 200,000 evaluations.
--
-- Try trajectories of length 6, about a whole period. They go to the far side and come
-- back (see resonance.lua):
--     :set hmc.leapfrogs 15
local cs = require "chainscope"

return cs.scenario {
  title  = "A hundred dimensions",
  shows  = "The cost of a random walk grows like the dimension, that of HMC like its fourth root",
  source = "Neal, MCMC using Hamiltonian dynamics, 2011, section 4.4",
  tags   = "high-dimensional",

  target = cs.target.gaussian { dim = 100 },
  chains = 4, seed = 52,
  arms   = {
    walk = cs.kernel.random_walk { step = 0.238 },
    mala = cs.kernel.mala { step = 0.75 },
    hmc  = cs.kernel.hmc { step = 0.4, leapfrogs = 4, jitter = 0.2 },
    nuts = cs.kernel.nuts {},
  },
  budget = { log_densities = 200000, gradients = 200000 },
  screen = { "lesson", "trace", "energy", "acceptance", "summary" },

  -- Effective draws of the first coordinate: 640 for the walk, 20,000 for MALA, nearly
  -- 40,000 for HMC and for NUTS (the No-U-Turn sampler). NUTS also adapted its step, and
  -- its warm-up is counted. For the energy NUTS gives fewer effective draws, since its
  -- trajectories end where they turn.
  claims = {
    { arm = "walk", stat = "acceptance", near = 0.237, within = 0.02, note = "0.234 is optimal" },
    { arm = "mala", stat = "acceptance", near = 0.6, within = 0.03, note = "0.574 is optimal" },
    { arm = "hmc", stat = "acceptance", at_least = 0.8 },
    { arm = "walk", stat = "ess", of = 1, at_most = 1500 },
    { arm = "mala", stat = "ess", of = 1, near = 20000, within = 12000 },
    { arm = "hmc", stat = "ess", of = 1, at_least = 15000 },
    { arm = "nuts", stat = "ess", of = 1, at_least = 25000 },
    { arm = "hmc", stat = "rhat", at_most = 1.02 },
    { arm = "nuts", stat = "rhat", at_most = 1.02 },
  },
}
