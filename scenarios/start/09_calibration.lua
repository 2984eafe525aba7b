-- Calibration: does a sampler draw from the right posterior?
--
-- Draw mu from its prior, then data at that mu, then let the sampler draw from the
-- posterior of those data. Over many such data sets the rank of the true mu among the
-- draws is uniform. If the ranks are not uniform, the prior, the likelihood or the
-- sampler is wrong. This command simulates 200 data sets on all cores and shows the
-- ranks, with a band for uniform ranks:
--     chainscope sbc scenarios/start/09_calibration.lua
-- Watch: `walk` and `nuts` pass. `langevin` takes gradient steps with noise and never
-- rejects: its draws are too spread out, and its ranks crowd in the middle. Its R-hat is
-- as good as that of the other samplers.
local cs = require "chainscope"

-- The data are four numbers y. Each is the sum of mu and noise of standard deviation 1,
-- and the prior of mu is standard normal. The posterior is known here: it is normal
-- with mean sum(y) / 5 and variance 1 / 5. The standard deviation of `langevin` is too
-- large by the factor 1 / sqrt(1 - rate * 5 / 2), here 1.41.
local function posterior(y)
  return cs.target {
    params = { mu = cs.real() },
    log_density = function(p)
      return cs.lpdf.normal(p.mu, 0, 1) + cs.math.sum(cs.lpdf.normal(cs.math.vector(y), p.mu, 1))
    end,
  }
end

return cs.scenario {
  title  = "Calibration",
  shows  = "Simulated data reveal a biased sampler whose diagnostics look good",
  source = "Talts, Betancourt, Simpson, Vehtari and Gelman 2018",
  tags   = "lesson calibration sbc",
  target = posterior { 1.5, 0.4, -0.2, 1.3 },
  chains = 4, seed = 9,
  arms   = {
    nuts     = cs.kernel.nuts {},
    walk     = cs.kernel.random_walk { step = 1 },
    langevin = cs.kernel.sgld { rate = 0.2 },
  },
  budget = { steps = 3000 },
  sbc    = {
    prior  = function(draw) return { mu = draw:normal() } end,
    data   = function(theta, draw)
      local y = {}
      for i = 1, 4 do y[i] = theta.mu + draw:normal() end
      return y
    end,
    target = posterior,
  },
  speed  = 200,
  screen = { "lesson", "marginal", "trace", "summary" },
  claims = {
    { arm = "nuts", stat = "mean", of = "mu", near = 0.6, within = 0.05 },
    { arm = "nuts", stat = "sd", of = "mu", near = 0.4472, within = 0.03 },
    { arm = "walk", stat = "sd", of = "mu", near = 0.4472, within = 0.05 },
    { arm = "langevin", stat = "sd", of = "mu", near = 0.6325, within = 0.05,
      note = "the exact value is 0.4472" },
    { arm = "langevin", stat = "rhat", at_most = 1.02 },
  },
}
