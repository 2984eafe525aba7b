-- Calibration: is it the posterior that a sampler draws from?
--
-- Four numbers y, each mu plus noise of standard deviation 1, and mu from a standard
-- normal prior: the posterior is normal with mean sum(y) / 5 and variance 1 / 5. For
-- most models nobody knows that. But anybody can go the other way: draw mu from the
-- prior, data at that mu, and have the sampler draw from the posterior of those data.
-- Over many such data sets the true mu is as likely to be the lowest as the highest
-- among the draws: its rank is uniform, and where it is not, something is wrong: the
-- prior, the likelihood, or the sampler. The field `sbc` says how:
--
--     chainscope sbc scenarios/start/09_calibration.lua
--
-- simulates 200 data sets, on all cores, and shows the ranks with the band in which
-- uniform ones stay. `walk` and `nuts` pass. `langevin` makes steps along the gradient
-- with noise and never refuses one: its draws are too far apart by a factor of
-- 1 / sqrt(1 - rate * 5 / 2), here 1.41, and its ranks crowd in the middle. No figure
-- of one run says so: its R-hat is as good as theirs.
local cs = require "chainscope"

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
  shows  = "Simulated data tell a sampler that is biased, though its diagnostics are good",
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
      note = "the posterior's is 0.4472" },
    { arm = "langevin", stat = "rhat", at_most = 1.02 },
  },
}
