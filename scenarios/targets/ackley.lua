-- Ackley's function: one wide funnel, with small dents everywhere.
--
-- The funnel, within 4 of the centre, holds 45 % of the mass at temperature T = 4. The
-- rest is in the large plain around it, which is flat except for a dent at every integer
-- point. A dent is only 0.6 nats deep and stops no chain, but in the plain the gradient
-- follows the dents and changes sign about ten times on the way to the centre.
--
-- Watch the effective draws. `mala`, whose step must suit a dent, moves as slowly as the
-- random walk `narrow`. The random walk `wide` jumps anywhere, still accepts a third of
-- its proposals, and has fifteen times the effective draws of `narrow`. `nuts` (no-U-turn
-- sampler) learns a step of 0.07 from the dents and needs 27 gradients per path. At the
-- same number of evaluations it has fewer effective draws than both random walks.
local cs = require "chainscope"

-- The mass of exp(-f / T) is infinite. Therefore the target, unlike Ackley's
-- function, has a normal factor with standard deviation 10.
local T, sd = 4, 10

return cs.scenario {
  title  = "Ackley's funnel",
  shows  = "Where the gradient follows small dents, long random moves are more efficient",
  source = "Ackley, A connectionist machine for genetic hillclimbing, 1987",

  target = cs.target {
    name  = "ackley",
    space = cs.real(2),
    view  = { -20, 20, -20, 20 },
    log_density = function(x)
      local square = x[1] * x[1] + x[2] * x[2]
      local waves = cs.math.cos(2 * math.pi * x[1]) + cs.math.cos(2 * math.pi * x[2])
      local f = 20 + math.exp(1) - 20 * cs.math.exp(-0.2 * cs.math.sqrt(square / 2))
                - cs.math.exp(waves / 2)
      return -f / T - square / (2 * sd * sd)
    end,
  },
  chains = 8, seed = 11,
  start  = { 15, -15 },
  arms   = {
    narrow = cs.kernel.random_walk { step = 0.8 },
    wide   = cs.kernel.random_walk { step = 8 },
    mala   = cs.kernel.mala { step = 0.8 },
    nuts   = cs.kernel.nuts {},
  },
  budget = { log_densities = 400000, gradients = 400000 },
  screen = { "map", "trace", "running", "acceptance", "summary" },

  -- By quadrature on a grid of 2000 x 2000: the deviation of a coordinate is 5.689.
  claims = {
    { arm = "wide", stat = "mean", of = 1, near = 0, within = 0.3 },
    { arm = "wide", stat = "sd", of = 1, near = 5.689, within = 0.3 },
    { arm = "wide", stat = "ess", at_least = 10000 },
    { arm = "narrow", stat = "ess", at_most = 3000 },
    { arm = "mala", stat = "ess", at_most = 3000 },
    { arm = "nuts", stat = "ess", at_most = 3000 },
    { arm = "nuts", stat = "sd", of = 1, near = 5.689, within = 0.6 },
  },
}
