-- Ackley's function: a funnel of dents in a plain of dents.
--
-- Far from the middle the function is flat but for a dent at every whole number, so
-- that exp(-f / T) has no finite mass: it is confined here by a normal of deviation
-- 10 about the middle, which is a part of the target and not of Ackley's. At
-- temperature 4 the funnel, within 4 of the middle, holds 45 % of the mass, and the
-- plain about it has the rest by its mere size.
--
-- A dent is 0.6 nats deep, and nothing stops a chain: what takes time is the way. In
-- the plain the gradient is that of the dents: it says up and down ten times on the
-- way to the middle. `mala`, whose step must fit a dent, walks in small steps as
-- `narrow` does. `wide` goes from anywhere to anywhere, and has a third of its
-- proposals taken all the same: fifteen times the effective draws. `nuts` has learned
-- a step of 0.07 from the dents, and its paths, 27 gradients each, ride over them: by
-- gradients it is behind both that walk.
--
-- All arms get the same number of evaluations.
local cs = require "chainscope"

local T, sd = 4, 10

return cs.scenario {
  title  = "Ackley's funnel",
  shows  = "Where the slope is that of dents, long blind moves do more than it",
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

  -- By quadrature on a grid of 2000 x 2000: deviation 5.689.
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
