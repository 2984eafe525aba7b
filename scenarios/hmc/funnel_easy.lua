-- A funnel in the non-centred form, where it is easy to sample.
--
-- The distribution is that of funnel_centred.lua: a scale v, and nine x with standard
-- deviation exp(v / 2). Here the chains move in v and z, where z is x in units of that
-- scale, and x is computed from v and z. v and z are ten independent normals without a
-- neck, so one step size suits all of the space.
--
-- Watch: with NUTS (the No-U-Turn sampler) no step diverges with any seed tried. Four
-- chains give 17,000 effective draws of v; in the centred form sixteen chains gave 40 to
-- 210. `walk` (a random walk with a learned covariance) is also correct, but slow. This
-- form is better for few data, or none as here. Where many data determine each x, the
-- centred form is better.
local cs = require "chainscope"

local n = 9

return cs.scenario {
  title  = "The funnel, straightened",
  shows  = "In the non-centred form the same distribution is easy, and no step diverges",
  source = "Papaspiliopoulos, Roberts and Skold 2007; Betancourt and Girolami 2015",
  tags   = "hierarchical coordinates",

  target = cs.target {
    name   = "funnel_easy",
    params = { { v = cs.real() }, { z = cs.real(n) } },
    view   = { "v", "x.1", -9, 9, -12, 12 },
    log_density = function(p)
      return cs.lpdf.normal(p.v, 0, 3) + cs.lpdf.normal(p.z, 0, 1)
    end,
    generated = function(p) return { x = p.z * cs.math.exp(p.v / 2) } end,
  },
  chains = 4, seed = 54,
  arms   = {
    nuts = cs.kernel.nuts {},
    walk = { kernel = cs.kernel.random_walk {}, tuner = cs.tuner.adaptive_metropolis {} },
  },
  budget = { steps = 4000 },
  screen = { "map", "trace", "energy", "summary" },

  claims = {
    { arm = "nuts", stat = "divergent", at_most = 0 },
    { arm = "nuts", stat = "ebfmi", at_least = 0.3 },
    { arm = "nuts", stat = "sd", of = "v", near = 3, within = 0.15 },
    { arm = "nuts", stat = "mean", of = "v", near = 0, within = 0.15 },
    { arm = "nuts", stat = "rhat", at_most = 1.01 },
    { arm = "nuts", stat = "ess", of = "v", at_least = 8000 },
    { arm = "walk", stat = "ess", of = "v", at_most = 1000 },
  },
}
