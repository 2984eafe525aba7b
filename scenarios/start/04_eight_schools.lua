-- Eight schools: a posterior from real data.
--
-- Eight schools tried the same coaching programme; each reports an effect and
-- its standard error. How much do the schools have in common? The model says
-- that their true effects scatter around mu with deviation tau, and the data
-- say little about tau: it may be near zero.
--
-- Each school is measured here in units of tau (the non-centred form): the
-- coordinates are mu, log tau, and eight eta that are nearly normal. The next
-- lesson shows the same posterior in coordinates that do not suit a sampler.
local cs = require "chainscope"

return cs.scenario {
  title  = "Eight schools",
  shows  = "a hierarchical posterior in coordinates that suit a sampler",
  source = "Rubin 1981; Gelman et al., Bayesian Data Analysis, section 5.5",

  target = cs.target.eight_schools { form = "non_centred" },
  chains = 4, seed = 4,
  arms   = {
    hmc  = cs.kernel.hmc { step = 0.3, leapfrogs = 8 },
    walk = cs.kernel.random_walk { step = 0.5 },
  },
  budget = { steps = 20000 },
  screen = { "trace", "energy", "acceptance", "state", "summary" },

  -- The truth, by integration over mu and tau: mean of mu 4.397 (sd 3.318),
  -- mean of log tau 0.802 (sd 1.171).
  claims = {
    { arm = "hmc", stat = "mean", of = "mu", near = 4.397, within = 0.15 },
    { arm = "hmc", stat = "sd", of = "mu", near = 3.318, within = 0.15 },
    { arm = "hmc", stat = "mean", of = "log_tau", near = 0.802, within = 0.06 },
    { arm = "hmc", stat = "rhat", at_most = 1.05 },
    { arm = "hmc", stat = "ess_per_work", at_least = 8 },
    { arm = "walk", stat = "ess_per_work", at_most = 4 },
  },
}
