-- Galaxies: a mixture model whose component labels are arbitrary.
--
-- Do the velocities of 82 galaxies form clusters? The model has three normal components
-- with weights and a common deviation. The density does not change when the components
-- are relabelled, so the posterior has six copies of every mode.
--
-- Watch `summary`: chains in distinct copies seem to disagree, and R-hat of mu.1 is
-- large. But it does not matter which component has label 1. `low`, `middle` and `high`
-- are the three means in increasing order, computed from each draw; for these the chains
-- agree. Another remedy is mu = cs.ordered(3), which leaves only one copy of each mode.
local cs = require "chainscope"
local M = cs.math

-- Velocities of the galaxies, in 1000 km / s.
local velocity = M.vector {
  9.172, 9.350, 9.483, 9.558, 9.775, 10.227, 10.406, 16.084, 16.170, 18.419, 18.552,
  18.600, 18.927, 19.052, 19.070, 19.330, 19.343, 19.349, 19.440, 19.473, 19.529,
  19.541, 19.547, 19.663, 19.846, 19.856, 19.863, 19.914, 19.918, 19.973, 19.989,
  20.166, 20.175, 20.179, 20.196, 20.215, 20.221, 20.415, 20.629, 20.795, 20.821,
  20.846, 20.875, 20.986, 21.137, 21.492, 21.701, 21.814, 21.921, 21.960, 22.185,
  22.209, 22.242, 22.249, 22.314, 22.374, 22.495, 22.746, 22.747, 22.888, 22.914,
  23.206, 23.241, 23.263, 23.484, 23.538, 23.542, 23.666, 23.706, 23.711, 24.129,
  24.285, 24.289, 24.366, 24.717, 24.990, 25.633, 26.960, 26.995, 32.065, 32.789,
  34.279,
}

local function at(a, b, c)
  return { mu = { a, b, c }, sigma = 2, weight = { 1 / 3, 1 / 3, 1 / 3 } }
end

return cs.scenario {
  title  = "Galaxies",
  shows  = "Six copies of each mode: a large R-hat of a labelled parameter may be harmless",
  source = "Roeder 1990; Jasra, Holmes and Stephens 2005",

  target = cs.target {
    name   = "galaxies",
    params = { { mu = cs.real(3) }, { sigma = cs.positive() }, { weight = cs.simplex(3) } },
    view   = { "mu.1", "mu.2", 5, 37, 5, 37 },
    -- cs.math.log_sum_exp sums over the three components of each galaxy, for all
    -- galaxies at once.
    log_density = function(p)
      local u = {}
      for k = 1, 3 do
        u[k] = M.log(p.weight[k]) + cs.lpdf.each.normal(velocity, p.mu[k], p.sigma)
      end
      return cs.lpdf.normal(p.mu, 20, 10) + cs.lpdf.half_normal(p.sigma, 5)
             + M.sum(M.log_sum_exp(u[1], u[2], u[3]))
    end,
    generated = function(p)
      local low, high = M.min(p.mu), M.max(p.mu)
      return { low = low, high = high, middle = M.sum(p.mu) - low - high }
    end,
  },
  chains = 6, seed = 38,
  start  = { at(10, 21, 33), at(10, 33, 21), at(21, 10, 33), at(21, 33, 10),
             at(33, 10, 21), at(33, 21, 10) },
  arms   = {
    walk = cs.kernel.random_walk { step = 0.2 },
    hmc  = cs.kernel.hmc { step = 0.07, leapfrogs = 10 },
  },
  budget = { log_densities = 200000, gradients = 200000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- Reference values from a Gibbs sampler that draws the component of each galaxy.
  claims = {
    { arm = "hmc", stat = "rhat", of = "mu.1", at_least = 1.5,
      note = "six chains started in six copies, and each stayed in its own" },
    { arm = "hmc", stat = "rhat", of = "low", at_most = 1.02 },
    { arm = "hmc", stat = "rhat", of = "middle", at_most = 1.02 },
    { arm = "hmc", stat = "rhat", of = "sigma", at_most = 1.02 },
    { arm = "hmc", stat = "mean", of = "low", near = 9.85, within = 0.1 },
    { arm = "hmc", stat = "sd", of = "low", near = 0.849, within = 0.04 },
    { arm = "hmc", stat = "mean", of = "middle", near = 21.39, within = 0.02 },
    { arm = "hmc", stat = "mean", of = "high", near = 32.51, within = 0.22 },
    { arm = "hmc", stat = "mean", of = "sigma", near = 2.146, within = 0.01 },
    { arm = "walk", stat = "mean", of = "middle", near = 21.39, within = 0.03 },
    { arm = "walk", stat = "rhat", of = "mu.1", at_least = 1.5 },
  },
}
