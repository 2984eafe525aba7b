-- Neal's funnel in other coordinates: the non-centred form.
--
-- In the funnel (funnel.lua) v is normal with variance 9, and nine x are normal with
-- variance exp(v). Here the parameters are v and z, where x = z * exp(v / 2). v and z
-- are normal and independent, so the sampler sees no funnel. The quantity of interest is
-- still x: `generated` computes it for every draw, and the map shows the plane of v and
-- x. The draws cover the whole funnel, from mouth to neck, and no chain gets stuck.
--
-- This form is better where the data say little about each x. Where the data determine x
-- well, z = x * exp(-v / 2) depends strongly on v, and the centred form is the easy one.
local cs = require "chainscope"

local n = 9

return cs.scenario {
  title  = "The funnel, straightened",
  shows  = "Non-centred: sample independent variables, then compute the variables of interest",
  source = "Papaspiliopoulos, Roberts and Skold 2007; Betancourt and Girolami 2015",

  target = cs.target {
    name   = "funnel_non_centred",
    params = { { v = cs.real() }, { z = cs.real(n) } },
    view   = { "v", "x.1", -9, 9, -12, 12 },
    log_density = function(p)
      return cs.lpdf.normal(p.v, 0, 3) + cs.lpdf.normal(p.z, 0, 1)
    end,
    generated = function(p) return { x = p.z * cs.math.exp(p.v / 2) } end,
  },
  chains = 4, seed = 32,
  arms   = {
    walk = cs.kernel.random_walk { step = 0.8 },
    mala = cs.kernel.mala { step = 1.1 },
    hmc  = cs.kernel.hmc {
      step = 0.9, jitter = 0, leapfrogs = function(step) return 2 + step % 5 end,
    },
  },
  budget = { log_densities = 200000, gradients = 200000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- The deviation of x is exp(9 / 4) = 9.49, but it cannot be estimated well: half of the
  -- variance comes from v > 9, one draw in 740.
  claims = {
    { arm = "hmc", stat = "mean", of = "v", near = 0, within = 0.1 },
    { arm = "hmc", stat = "sd", of = "v", near = 3, within = 0.1 },
    { arm = "hmc", stat = "ess_per_work", at_least = 35 },
    { arm = "walk", stat = "sd", of = "v", near = 3, within = 0.3 },
    { arm = "mala", stat = "sd", of = "v", near = 3, within = 0.2 },
  },
}
