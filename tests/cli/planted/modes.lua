-- Parallel tempering on a target with two modes. A state has two values, one at
-- temperature 1 and one at temperature 9, and a move swaps the two values.
local cs = require "chainscope"
local M = cs.math
local function log_p(x) return M.log_sum_exp(-0.5 * (x - 3)^2, -0.5 * (x + 3)^2) end
local function plain(x) local a, b = -0.5 * (x - 3)^2, -0.5 * (x + 3)^2 local m = math.max(a, b) return m + math.log(math.exp(a - m) + math.exp(b - m)) end
local function tempered(honest)
  return cs.kernel { omega1 = function() return 0 end, log_ratio = function() return 0 end, propose = function(x, _, draw)
    local z = { x[1], x[2] }
    if draw:uniform() < 0.5 then
      local r = honest and (plain(x[2]) - plain(x[1])) * (1 - 1/9) or 0
      if math.log(draw:uniform()) < r then z = { x[2], x[1] } end
      return z
    end
    local a, b = x[1] + 2 * draw:normal(), x[2] + 6 * draw:normal()
    if math.log(draw:uniform()) < plain(a) - plain(x[1]) then z[1] = a end
    if math.log(draw:uniform()) < (plain(b) - plain(x[2])) / 9 then z[2] = b end
    return z end }
end
return cs.scenario { title = "two modes, two temperatures", seed = 1, chains = 4, budget = { steps = 100 },
  target = cs.target { space = cs.real(2), log_density = function(x) return log_p(x[1]) + log_p(x[2]) / 9 end },
  arms = { { name = "right", kernel = tempered(true) }, { name = "blind_swap", kernel = tempered(false) } } }
