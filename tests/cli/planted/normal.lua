-- Kernels on a standard normal distribution. Some kernels have errors in the
-- accept step, in the step size, or in values that they keep between steps.
local cs = require "chainscope"
local function none() return 0 end
local function walk(x, _, draw) return { x[1] + 1.5 * draw:normal() } end
local function change(x, y, target) return target:log_density(y) - target:log_density(x) end
local step = 1
local arms = {
    { name = "right", kernel = cs.kernel { propose = function(x, draw) return { x[1] + 1.5 * draw:normal() } end } },
    { name = "right_barker", kernel = cs.kernel { accept = "barker", omega1 = none, propose = walk, log_ratio = function(x, y, _, _, _, t) return change(x, y, t) end } },
    { name = "unadjusted", kernel = cs.kernel { omega1 = none, log_ratio = none, propose = function(x, _, draw, _, t)
      return { x[1] + 0.25 * t:gradient(x)[1] + math.sqrt(0.5) * draw:normal() } end } },
    { name = "tuned_for_ever", kernel = cs.kernel { omega1 = none, propose = function(x, _, draw) return { x[1] + step * draw:normal() } end,
      log_ratio = function(x, y, _, _, _, t) local r = change(x, y, t) step = step * (r > -0.7 and 1.2 or 1 / 1.2) return r end } },
    { name = "power_09", kernel = cs.kernel { omega1 = none, propose = walk, log_ratio = function(x, y, _, _, _, t) return 0.9 * change(x, y, t) end } },
    { name = "step_of_state", kernel = cs.kernel { propose = function(x, draw) return { x[1] + (math.abs(x[1]) < 1 and 0.5 or 2) * draw:normal() } end } },
    { name = "dropped", kernel = cs.kernel { omega1 = none, log_ratio = none, propose = function(x, _, draw, _, t)
      local y repeat y = walk(x, nil, draw) until math.log(draw:uniform()) < change(x, y, t) return y end } },
    { name = "one_uniform", kernel = cs.kernel { omega1 = none, log_ratio = none, propose = function(x, _, draw, _, t)
      local u = draw:uniform() local y = { x[1] + 3 * (u - 0.5) }
      return math.log(u) < change(x, y, t) and y or x end } },
    { name = "greedy", kernel = cs.kernel { omega1 = none, propose = walk, log_ratio = function(x, y, _, _, _, t)
      local r = change(x, y, t) return r < -1 and -math.huge or r end } },
}
return cs.scenario { title = "normal", seed = 1, chains = 4, budget = { steps = 100 }, target = cs.target.gaussian { dim = 1 }, arms = arms }
