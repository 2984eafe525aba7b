-- Eight schools again, in coordinates that do not suit a sampler.
--
-- The posterior is that of 04_eight_schools.lua, but the parameters are now the schools'
-- effects theta themselves (the centred form). Where tau (the standard deviation of
-- theta) is small, the eight theta are squeezed together around their mean mu; where tau
-- is large, they spread widely. This shape is a funnel. No single step size suits both
-- its wide mouth and its narrow neck.
--
-- Six chains start in the mouth and six deep in the neck, and they never mix: in the
-- neck, every step that suits the mouth is rejected. If all chains had started in the
-- mouth, they would agree and be wrong, and only the mean of log tau would show the
-- error. The chains of 04_eight_schools.lua forget either start at once.
local cs = require "chainscope"

local effect = { 28, 8, -3, 7, -1, 1, 18, 12 }
local error  = { 15, 10, 16, 11, 9, 11, 10, 18 }

local function state(log_tau)
  return { mu = 4, tau = math.exp(log_tau), theta = { 4, 4, 4, 4, 4, 4, 4, 4 } }
end

return cs.scenario {
  title  = "The funnel",
  shows  = "The same posterior in bad coordinates: chains stick and means are wrong",
  source = "Betancourt and Girolami 2015; Papaspiliopoulos et al. 2007",
  tags   = "lesson hierarchical divergence",

  target = cs.target {
    name   = "eight_schools_centred",
    params = { { mu = cs.real() }, { tau = cs.positive() }, { theta = cs.real(8) } },
    view   = { "log_tau", "theta.1", -4, 4, -20, 40 },
    log_density = function(p)
      return cs.lpdf.normal(p.mu, 0, 5) + cs.lpdf.half_cauchy(p.tau, 5)
             + cs.lpdf.normal(p.theta, p.mu, p.tau)
             + cs.lpdf.normal(effect, p.theta, error)
    end,
    generated = function(p) return { log_tau = cs.math.log(p.tau) } end,
  },
  chains = 12, seed = 4,
  start  = { state(2), state(-4) }, -- alternating over the chains
  arms   = {
    hmc  = cs.kernel.hmc { step = 0.3, leapfrogs = 8 },
    fine = cs.kernel.hmc { step = 0.1, leapfrogs = 24 },
    walk = cs.kernel.random_walk { step = 0.5 },
  },
  budget = { steps = 7000 },
  speed  = 200, -- steps per second; the key + raises the speed, = selects full speed
  screen = { "lesson", "map", { "trace", quantity = "log_tau" }, "acceptance", "summary" },

  -- By integration, the exact mean of log tau is 0.802. The mean of no arm
  -- agrees with this value.
  claims = {
    { arm = "hmc", stat = "mean", of = "log_tau", near = 0.802, within = 0.1,
      holds = false, note = "half of the chains are stuck in the neck" },
    { arm = "fine", stat = "mean", of = "log_tau", near = 0.802, within = 0.1,
      holds = false, note = "a step of a third of that size is still too large" },
    { arm = "walk", stat = "mean", of = "log_tau", near = 0.802, within = 0.1,
      holds = false },
    { arm = "hmc", stat = "rhat", at_least = 1.05, note = "R-hat detects the error" },
    { arm = "fine", stat = "rhat", at_least = 1.05 },
    { arm = "fine", stat = "acceptance", at_least = 0.1, at_most = 0.9,
      note = "the acceptance is 0.97 in the mouth and 0 in the neck; their mean gives no warning" },
    { arm = "hmc", stat = "ess", at_most = 60 },
  },
}
