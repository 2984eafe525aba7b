-- Multiplicative steps on a gamma(3, 1) distribution, for which the acceptance
-- ratio needs the density of the reverse proposal.
local cs = require "chainscope"
local M = cs.math
local function stretched(x, draw) return { x[1] * math.exp(0.8 * draw:normal()) } end
local function log_q(a, b) return -0.5 * ((math.log(b[1]) - math.log(a[1])) / 0.8)^2 - math.log(b[1]) end
return cs.scenario { title = "gamma(3, 1)", seed = 1, chains = 4, budget = { steps = 100 }, start = { 2 },
  target = cs.target { space = cs.real(1), log_density = function(x)
    return M.where(M.lt(0, x[1]), 2 * M.log(M.abs(x[1])) - x[1], -math.huge) end },
  arms = {
    { name = "right", kernel = cs.kernel { propose = stretched, log_q = log_q } },
    { name = "ratio_forgotten", kernel = cs.kernel { propose = stretched } },
    { name = "ratio_backwards", kernel = cs.kernel { propose = stretched, log_q = function(a, b) return log_q(b, a) end } },
  } }
