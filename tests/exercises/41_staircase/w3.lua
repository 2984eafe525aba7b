-- slip: looks_back
-- say: the state decides which coordinate you draw: draw x1 and then x2 in every step
-- Gibbs sampling of two normals with correlation 0.8: complete the function sweep.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 41 --mark mine.lua
local cs = require "chainscope"
local rho = 0.8

-- Returns the next state. draw:normal() is a standard normal number.
local function sweep(x, draw)
  if math.abs(x[1]) > math.abs(x[2]) then return { rho * x[2] + 0.6 * draw:normal(), x[2] } end
  return { x[1], rho * x[1] + 0.6 * draw:normal() }
end

local function zero() return 0 end

return cs.scenario {
  title = "Exercise 41", chains = 4, budget = { steps = 10000 },
  target = cs.target.gaussian { mean = { 0, 0 }, covariance = { { 1, rho }, { rho, 1 } } },
  arms = { mine = cs.kernel { omega1 = zero, log_ratio = zero,
    propose = function(x, _, draw) return sweep(x, draw) end } },
}
