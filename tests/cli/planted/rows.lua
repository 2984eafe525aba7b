-- A kernel that computes its acceptance ratio from a batch of the rows instead
-- of all rows.
local cs = require "chainscope"
local y = { 1.2, -0.3, 0.8, 2.1, -1.4, 0.1, 0.9, -0.6, 1.7, 0.4 }
return cs.scenario { title = "ten rows", seed = 1, chains = 4, budget = { steps = 100 },
  target = cs.target { space = cs.real(1), log_density = function(x) local u = 0 for i = 1, 10 do u = u - 0.5 * (y[i] - x[1])^2 end return u end },
  arms = { { name = "right", kernel = cs.kernel { propose = function(x, draw) return { x[1] + 0.6 * draw:normal() } end } },
    { name = "batch_ratio", kernel = cs.kernel { omega1 = function() return 0 end, log_ratio = function() return 0 end, propose = function(x, _, draw)
      local z, u = x[1] + 0.6 * draw:normal(), 0
      local a = draw:below(10) local b = draw:below(9) if b >= a then b = b + 1 end
      for _, i in ipairs { a, b } do u = u + 5 * (-0.5 * (y[i] - z)^2 + 0.5 * (y[i] - x[1])^2) end
      return { math.log(draw:uniform()) < u and z or x[1] } end } } } }
