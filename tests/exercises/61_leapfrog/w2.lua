-- slip: kinetic_energy_left_out
-- say: your ratio compares p only: the energy also has the kinetic part
-- Hamiltonian Monte Carlo: complete the functions leapfrogs and log_ratio.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 61 --mark mine.lua
local cs = require "chainscope"
local step, n = 0.5, 5

-- Returns the position and the momentum after n leapfrogs from the position x with the momentum v.
-- target:gradient(x) is the gradient of log p at x, a list of two numbers.
local function leapfrogs(x, v, _, target)
  for _ = 1, n do
    local g = target:gradient(x)
    for i = 1, 2 do v[i] = v[i] + 0.5 * step * g[i] end
    for i = 1, 2 do x[i] = x[i] + step * v[i] end
    g = target:gradient(x)
    for i = 1, 2 do v[i] = v[i] + 0.5 * step * g[i] end
  end
  return x, v
end

-- Returns the log of the acceptance ratio of a trajectory from (x, v) to (y, w).
-- target:log_density(x) is log p(x).
local function log_ratio(x, y, v, w, _, target)
  return target:log_density(y) - target:log_density(x)
end

return cs.scenario {
  title = "Exercise 61", chains = 4, budget = { steps = 3000 },
  target = cs.target.gaussian { mean = { 0, 0 }, covariance = { { 1, 0.7 }, { 0.7, 1 } } },
  arms = { mine = cs.kernel {
    omega1 = function(_, draw) return { draw:normal(), draw:normal() } end,
    map = leapfrogs, log_ratio = log_ratio } },
}
