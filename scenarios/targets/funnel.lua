-- Neal's funnel: a scale parameter that is itself unknown.
--
-- v is normal with variance 9, and nine x are normal with variance exp(v). There are no
-- data; every hierarchical model has this shape where its data say little. The standard
-- deviation of each x is 20 at v = 6 (the mouth) and 0.05 at v = -6 (the neck). A step
-- that suits the mouth is rejected in the neck, and a step that suits the neck takes very
-- long in the mouth.
--
-- Watch the map: HMC (Hamiltonian Monte Carlo) seldom reaches either end and then stays
-- there long. Its estimate of the spread of v depends on chance, and R-hat hardly
-- shows this. Better coordinates help more than a better kernel: with z = x / exp(v / 2),
-- v and z are independent normals, and `straight` is only a random walk in v and z.

-- funnel_non_centred.lua changes the target itself in this way, so that HMC works too.

local cs = require "chainscope"

local n = 9

-- Moves v and z, and computes x from them.
local straight = cs.kernel {
  params  = { step = 0.7 },
  propose = function(x, draw, p)
    local y = { x[1] + 3 * p.step * draw:normal() }
    for i = 2, n + 1 do
      local z = x[i] * math.exp(-x[1] / 2)
      y[i] = (z + p.step * draw:normal()) * math.exp(y[1] / 2)
    end
    return y
  end,
  log_q = function(_, to) return -n * to[1] / 2 end, -- the Jacobian; the rest is symmetric
}

return cs.scenario {
  title  = "Neal's funnel",
  shows  = "No step size suits both ends; in better coordinates even a random walk works",
  source = "Neal, Slice sampling, 2003, section 8",

  target = cs.target {
    name   = "funnel",
    params = { { v = cs.real() }, { x = cs.real(n) } },
    view   = { -9, 9, -12, 12 },
    log_density = function(p)
      return cs.lpdf.normal(p.v, 0, 3)
             + cs.lpdf.normal(p.x, 0, cs.math.exp(p.v / 2))
    end,
  },
  chains = 4, seed = 32,
  arms   = {
    walk     = cs.kernel.random_walk { step = 0.5 },
    mala     = cs.kernel.mala { step = 0.4 },
    hmc      = cs.kernel.hmc { step = 0.2, leapfrogs = 20 },
    straight = straight,
  },
  budget = { log_densities = 200000, gradients = 200000 },
  screen = { "map", "trace", "acceptance", "summary" },

  claims = {
    { arm = "straight", stat = "mean", of = "v", near = 0, within = 0.3 },
    { arm = "straight", stat = "sd", of = "v", near = 3, within = 0.2 },
    { arm = "straight", stat = "ess", at_least = 1000 },
    { arm = "hmc", stat = "ess", of = "v", at_most = 400 },
    { arm = "walk", stat = "ess", of = "v", at_most = 300 },
    { arm = "mala", stat = "ess", of = "v", at_most = 200 },
  },
}
