-- Eight schools: a hierarchical posterior from real data, written as a model.
--
-- Eight schools tried the same coaching programme. Each school reports an estimated
-- effect and its standard error. The true effects theta scatter around mu with standard
-- deviation tau, and the data say little about tau: it may be near zero.
--
-- `log_density` contains the priors of mu, tau and eta and the likelihood of the reported
-- effects. The eight eta are the schools' deviations from mu in units of tau (the
-- non-centred form) and are nearly Gaussian; the chains move in mu, log tau and eta.
-- `generated` computes the effects theta = mu + tau eta, which the screen shows. The next
-- lesson, 05_funnel.lua, has the same posterior in coordinates that do not suit a
-- sampler.
local cs = require "chainscope"

local effect = { 28, 8, -3, 7, -1, 1, 18, 12 }
local error  = { 15, 10, 16, 11, 9, 11, 10, 18 }

return cs.scenario {
  title  = "Eight schools",
  shows  = "A hierarchical posterior in coordinates that suit a sampler",
  source = "Rubin 1981; Gelman et al., Bayesian Data Analysis, section 5.5",
  tags   = "lesson hierarchical",

  target = cs.target {
    name   = "eight_schools",
    params = { { mu = cs.real() }, { tau = cs.positive() }, { eta = cs.real(8) } },
    view   = { -8, 16, 0, 15 },
    log_density = function(p)
      return cs.lpdf.normal(p.mu, 0, 5) + cs.lpdf.half_cauchy(p.tau, 5)
             + cs.lpdf.normal(p.eta, 0, 1)
             + cs.lpdf.normal(effect, p.mu + p.tau * p.eta, error)
    end,
    generated = function(p) return { theta = p.mu + p.tau * p.eta } end,
  },
  chains = 4, seed = 4,
  arms   = {
    hmc  = cs.kernel.hmc { step = 0.3, leapfrogs = 8 },
    walk = cs.kernel.random_walk { step = 0.5 },
  },
  budget = { steps = 20000 },
  speed  = 500, -- steps per second; the key + raises the speed, = selects full speed
  screen = { "lesson", "map", "trace", "acceptance", "state", "summary" },

  -- Exact values, by integration over mu and tau: mu has mean 4.397 and standard
  -- deviation 3.318, tau has mean 3.598 and standard deviation 3.220, and the first
  -- school's effect has mean 6.212.
  claims = {
    { arm = "hmc", stat = "mean", of = "mu", near = 4.397, within = 0.15 },
    { arm = "hmc", stat = "sd", of = "mu", near = 3.318, within = 0.15 },
    { arm = "hmc", stat = "mean", of = "tau", near = 3.598, within = 0.1 },
    { arm = "hmc", stat = "sd", of = "tau", near = 3.220, within = 0.15 },
    { arm = "hmc", stat = "mean", of = "theta.1", near = 6.212, within = 0.15 },
    { arm = "hmc", stat = "rhat", at_most = 1.05 },
    { arm = "hmc", stat = "ess_per_work", at_least = 8 },
    { arm = "walk", stat = "ess_per_work", at_most = 6 },
  },
}
