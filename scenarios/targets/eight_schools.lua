-- Eight schools: two sets of coordinates for one posterior.
--
-- Eight schools tried the same coaching; each reports an effect and its standard error.
-- The true effects theta scatter around mu with standard deviation tau, which may be
-- near zero. Where tau is small, the eight theta are squeezed together: a funnel. The
-- chains move in theta (the centred form).
--
-- Watch the plane of tau and theta.1. HMC (Hamiltonian Monte Carlo) seldom enters the
-- corner where tau is small, and then stays there long. `eased`, HMC with half the step
-- and twice the leapfrog steps, has the same problem. `nuts` (no-U-turn sampler) has
-- divergent steps, a sign that it misses the corner. `loose` is a random walk in mu, log
-- tau and eta = (theta - mu) / tau (the non-centred form), and is the most efficient arm.

-- For HMC in mu, log tau and eta see start/04_eight_schools.lua.

local cs = require "chainscope"

local effect = { 28, 8, -3, 7, -1, 1, 18, 12 }
local error  = { 15, 10, 16, 11, 9, 11, 10, 18 }

-- A kernel that converts the state (log tau, eight theta, mu) to mu, log tau and eta,
-- moves these, and converts the result back. The term 8 log tau in its log_q is the
-- log Jacobian of this conversion.
local loose = cs.kernel {
  params  = { step = 0.5 },
  propose = function(x, draw, p)
    local log_tau, mu = x[1], x[10]
    local y = { log_tau + p.step * draw:normal() }
    y[10] = mu + 4 * p.step * draw:normal()
    for i = 2, 9 do
      local eta = (x[i] - mu) * math.exp(-log_tau)
      y[i] = y[10] + math.exp(y[1]) * (eta + p.step * draw:normal())
    end
    return y
  end,
  log_q = function(_, to) return -8 * to[1] end, -- the rest is symmetric
}

return cs.scenario {
  title  = "Eight schools, two ways",
  shows  = "HMC in bad coordinates loses to a random walk in good ones",
  source = "Rubin 1981; Gelman et al., Bayesian Data Analysis, section 5.5",

  target = cs.target {
    name   = "eight_schools_centred",
    params = { { tau = cs.positive() }, { theta = cs.real(8) }, { mu = cs.real() } },
    view   = { "tau", "theta.1", 0, 15, -10, 25 },
    log_density = function(p)
      return cs.lpdf.normal(p.mu, 0, 5) + cs.lpdf.half_cauchy(p.tau, 5)
             + cs.lpdf.normal(p.theta, p.mu, p.tau)
             + cs.lpdf.normal(effect, p.theta, error)
    end,
  },
  chains = 8, seed = 33,
  start  = { tau = 8, theta = { 8, 8, 8, 8, 8, 8, 8, 8 }, mu = 8 },
  arms   = {
    hmc   = cs.kernel.hmc { step = 0.4, leapfrogs = 10 },
    eased = cs.kernel.hmc { step = 0.2, leapfrogs = 20 },
    loose = loose,
    walk  = cs.kernel.random_walk { step = 0.8 },
    nuts  = cs.kernel.nuts {},
  },
  budget = { log_densities = 300000, gradients = 300000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- By integration: tau has the mean 3.598 (deviation 3.220), mu 4.397 (3.318), theta.1
  -- 6.212. All five arms have the right stationary distribution; they differ in how long
  -- they need. Over six seeds 6 to 770 of 12,000 steps of `nuts` diverged.
  claims = {
    { arm = "loose", stat = "mean", of = "tau", near = 3.598, within = 0.15 },
    { arm = "loose", stat = "sd", of = "tau", near = 3.220, within = 0.25 },
    { arm = "loose", stat = "mean", of = "mu", near = 4.397, within = 0.15 },
    { arm = "loose", stat = "sd", of = "mu", near = 3.318, within = 0.15 },
    { arm = "loose", stat = "mean", of = "theta.1", near = 6.212, within = 0.25 },
    { arm = "loose", stat = "ess_per_work", at_least = 7 },
    { arm = "hmc", stat = "ess_per_work", at_most = 1 },
    { arm = "eased", stat = "ess_per_work", at_most = 5 },
    { arm = "walk", stat = "ess_per_work", at_most = 1 },
    { arm = "hmc", stat = "mean", of = "tau", near = 3.598, within = 1 },
    { arm = "nuts", stat = "divergent", at_least = 1 },
    { arm = "nuts", stat = "ess_per_work", at_most = 7 },
  },
}
