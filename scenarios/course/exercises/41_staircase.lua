-- Exercise: Gibbs sampling of two correlated normals
local cs = require "chainscope"

return cs.scenario {
  title = "Exercise: a Gibbs sampler for two normals",
  shows = "each coordinate is drawn given the newest value of the other",
  tags = "course week-4 exercise",
  target = cs.target.gaussian { mean = { 0, 0 }, covariance = { { 1, 0.8 }, { 0.8, 1 } } },
  chains = 4, seed = 1, budget = { steps = 10000 },
  arms = { walk = cs.kernel.random_walk { step = 1 } },
  exercise = {
    text = "Two standard normals have correlation 0.8. Write a kernel that draws x1 given x2, then x2 given x1. " ..
      "Both draws are always accepted.",
    skeleton = [[
-- Gibbs sampling of two normals with correlation 0.8: complete the function sweep.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 41 --mark mine.lua
local cs = require "chainscope"
local rho = 0.8

-- Returns the next state. draw:normal() is a standard normal number.
local function sweep(x, draw)
  return { x[1], x[2] }
end

local function zero() return 0 end

return cs.scenario {
  title = "Exercise 41", chains = 4, budget = { steps = 10000 },
  target = cs.target.gaussian { mean = { 0, 0 }, covariance = { { 1, rho }, { rho, 1 } } },
  arms = { mine = cs.kernel { omega1 = zero, log_ratio = zero,
    propose = function(x, _, draw) return sweep(x, draw) end } },
}
]],
    hints = { "x1 given x2 is normal, with mean rho x2.", "Its variance is 1 - rho^2; draw:normal() is multiplied by a standard deviation." },
    judge = {
      laws = { "stationarity", "again" },
      claims = { { stat = "sd", of = 1, near = 1, within = 0.08 }, { stat = "mean", of = 2, near = 0, within = 0.1 } },
    },
  },
}
