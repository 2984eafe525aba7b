-- The same funnel in coordinates that fit: the non-centred form.
--
-- funnel_centred.lua has a scale v and nine x whose deviation is exp(v / 2). Here
-- the chains move in v and in z, which is x measured in units of that scale, and x
-- is computed from them. The law of v and x is the same. The law of v and z is
-- ten plain normals, without a neck: one step size is right everywhere.
--
-- No step diverges, whatever the seed; v has its deviation of 3, and four
-- chains have 17,000 independent draws of it, where sixteen had 40 to 210 in
-- the other coordinates. `walk`, which learns the covariance in a
-- warm-up, does too: slowly, but it is right.
--
-- Which form is better depends on the data. Little data, as here none: this one.
-- With many data for each x they fix x, and the centred form is the easy one.
local cs = require "chainscope"

local n = 9

return cs.scenario {
  title  = "The funnel, straightened",
  shows  = "In coordinates of its own scale the same posterior is easy, and nothing diverges",
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
