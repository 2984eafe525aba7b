-- Kernels on an exponential distribution, whose mode is at 0. Some kernels
-- handle proposals below 0 wrongly, the others correctly. One kernel preserves
-- the target without being reversible. Another kernel has no accept step, and
-- does not move if its proposal is impossible.
local cs = require "chainscope"
local M = cs.math
local function none() return 0 end
return cs.scenario { title = "exponential(1)", seed = 1, chains = 4, budget = { steps = 100 }, start = { 1 },
  target = cs.target { space = cs.real(1), log_density = function(x)
    return M.where(M.le(0, x[1]), -x[1], -math.huge) end },
  arms = {
    { name = "right", kernel = cs.kernel { propose = function(x, draw) return { x[1] + draw:normal() } end } },
    { name = "right_reflected", kernel = cs.kernel { propose = function(x, draw) return { math.abs(x[1] + draw:normal()) } end } },
    { name = "right_falls", kernel = cs.kernel { omega1 = none, log_ratio = none, propose = function(x, _, draw)
      return { 0.5 * x[1] - (draw:uniform() < 0.5 and math.log(draw:uniform()) or 0) } end } },
    { name = "right_langevin", kernel = cs.kernel.sgld { rate = 0.1 } },
    { name = "clipped", kernel = cs.kernel { propose = function(x, draw) return { math.max(0.01, x[1] + draw:normal()) } end } },
    { name = "redrawn", kernel = cs.kernel { propose = function(x, draw)
      local y repeat y = x[1] + draw:normal() until y > 0 return { y } end } },
  } }
