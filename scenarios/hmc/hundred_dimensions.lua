-- A random walk, MALA and HMC in a hundred dimensions.
--
-- A hundred independent normals of deviation 1: nothing is narrow, nothing is
-- correlated, and each kernel has its best step. What is left is the dimension.
-- A random walk must do with steps of about 2.4 / sqrt(d), or some of the d
-- coordinates gets worse, and it goes to and fro: for one independent
-- draw it pays in proportion to d. HMC keeps its direction along a trajectory,
-- and its error of the energy allows steps of about d^(-1/4): it pays in
-- proportion to d^(1/4). MALA, a trajectory of one step, is between, d^(1/3).
--
-- All arms get 200,000 evaluations. Of the first coordinate that is worth 640
-- independent draws to the walk, 20,000 to MALA, and nearly 40,000 to HMC
-- and to NUTS, which found its step by itself and also paid its warm-up.
-- NUTS is slower for the energy, since its trajectories end where they turn.
--
-- Try: trajectories of length 6, a whole period. They go to the far side, and
-- come back; resonance.lua has more of that.
--
--     :set hmc.leapfrogs 15
local cs = require "chainscope"

return cs.scenario {
  title  = "A hundred dimensions",
  shows  = "A random walk pays for each dimension, HMC for its fourth root",
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

  claims = {
    { arm = "walk", stat = "acceptance", near = 0.237, within = 0.02, note = "0.234 is best" },
    { arm = "mala", stat = "acceptance", near = 0.6, within = 0.03, note = "0.574 is best" },
    { arm = "hmc", stat = "acceptance", at_least = 0.8 },
    { arm = "walk", stat = "ess", of = 1, at_most = 1500 },
    { arm = "mala", stat = "ess", of = 1, near = 20000, within = 12000 },
    { arm = "hmc", stat = "ess", of = 1, at_least = 15000 },
    { arm = "nuts", stat = "ess", of = 1, at_least = 25000 },
    { arm = "hmc", stat = "rhat", at_most = 1.02 },
    { arm = "nuts", stat = "rhat", at_most = 1.02 },
  },
}
