-- The potential of Müller and Brown: three basins in no simple arrangement.
--
-- In this test surface of computational chemistry minima represent states of a molecule,
-- and the passes between them are parallel to no axis. The density is exp(-V / 12). The
-- deep basin (upper left) holds 95 % of the mass. The pass out of it is 8.9 nats higher.
-- The shallow basin in the middle holds 1 % and leads to the third, which holds 4 %.
--
-- Watch how often chains cross. Gradients point back into the basin and do not help.
-- `hmc` and `nuts` cross only when a random momentum has 9 nats of kinetic energy in the
-- direction of the pass. They also need a gradient per point of the path; the random walk
-- needs one evaluation per attempt. Parallel tempering has replicas on a flatter surface.
-- All arms get the same number of evaluations.
local cs = require "chainscope"

local A = { -200, -100, -170, 15 }
local a = { -1, -1, -6.5, 0.7 }
local b = { 0, 0, 11, 0.6 }
local c = { -10, -10, -6.5, 0.7 }
local X = { 1, 0, -0.5, -1 }
local Y = { 0, 0.5, 1.5, 1 }

return cs.scenario {
  title  = "The Müller-Brown potential",
  shows  = "How samplers find the passes between three basins",
  source = "Müller and Brown, Location of saddle points and minimum energy paths, 1979",

  target = cs.target {
    name  = "muller_brown",
    space = cs.real(2),
    view  = { -1.8, 1.4, -0.6, 2.2 },
    modes = { { -0.558, 1.442 }, { 0.623, 0.028 }, { -0.050, 0.467 } },
    mode_shares = { 0.94867, 0.04058, 0.01075 },
    log_density = function(x)
      local v = 0
      for i = 1, 4 do
        local p, q = x[1] - X[i], x[2] - Y[i]
        v = v + A[i] * cs.math.exp(a[i] * p * p + b[i] * p * q + c[i] * q * q)
      end
      return -v / 12
    end,
  },
  chains = 8, seed = 12,
  start  = { -0.558, 1.442 },
  -- Each basin is a few tenths of a unit long and a tenth wide. The dense metric
  -- that nuts learns describes only one basin.
  arms   = {
    walk   = cs.kernel.random_walk { step = 0.25 },
    mala   = cs.kernel.mala { step = 0.12 },
    hmc    = cs.kernel.hmc { step = 0.06, leapfrogs = 10 },
    nuts   = cs.kernel.nuts {},
    ladder = cs.kernel.parallel_tempering {
      kernel = cs.kernel.random_walk { step = 0.25 }, temperatures = { 1, 2, 4, 8 },
    },
  },
  budget = { log_densities = 500000, gradients = 500000 },
  screen = { "map", "visits", "trace", "jumps", "acceptance", "summary" },

  -- Exact values, by quadrature on a grid of 600 x 600: the means are -0.5224
  -- and 1.3578, the standard deviations 0.2706 and 0.3205.
  claims = {
    { arm = "ladder", stat = "mean", of = 1, near = -0.5224, within = 0.03 },
    { arm = "ladder", stat = "mean", of = 2, near = 1.3578, within = 0.03 },
    { arm = "ladder", stat = "sd", of = 2, near = 0.3205, within = 0.04 },
    { arm = "ladder", stat = "modes_visited", at_least = 3 },
    { arm = "ladder", stat = "ess_per_work", of = 2, at_least = 2.5 },
    { arm = "walk", stat = "ess_per_work", of = 2, at_most = 2 },
    { arm = "hmc", stat = "ess_per_work", of = 2, at_most = 1.5 },
    { arm = "nuts", stat = "ess_per_work", of = 2, at_most = 1,
      note = "each point of a path costs a gradient, and few paths cross the pass" },
  },
}
