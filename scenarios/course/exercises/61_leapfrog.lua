-- Exercise: Hamiltonian Monte Carlo with own leapfrogs
local cs = require "chainscope"

return cs.scenario {
  title = "Exercise: leapfrogs and the energy",
  shows = "a map that returns and keeps volumes, and an accept step that knows the kinetic energy",
  tags = "course week-6 exercise",
  target = cs.target.gaussian { mean = { 0, 0 }, covariance = { { 1, 0.7 }, { 0.7, 1 } } },
  chains = 4, seed = 1, budget = { steps = 3000 },
  arms = { walk = cs.kernel.random_walk { step = 1 } },
  exercise = {
    text = "Write Hamiltonian Monte Carlo: five leapfrogs with a step of 0.5 (half a kick, a drift and half a kick " ..
      "each), and the log of the acceptance ratio. The momentum is standard normal.",
    skeleton = [[
-- Hamiltonian Monte Carlo: complete the functions leapfrogs and log_ratio.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 61 --mark mine.lua
local cs = require "chainscope"
local step, n = 0.5, 5

-- Returns the position and the momentum after n leapfrogs from the position x with the momentum v.
-- target:gradient(x) is the gradient of log p at x, a list of two numbers.
local function leapfrogs(x, v, _, target)
  return x, v
end

-- Returns the log of the acceptance ratio of a trajectory from (x, v) to (y, w).
-- target:log_density(x) is log p(x).
local function log_ratio(x, y, v, w, _, target)
  return 0
end

return cs.scenario {
  title = "Exercise 61", chains = 4, budget = { steps = 3000 },
  target = cs.target.gaussian { mean = { 0, 0 }, covariance = { { 1, 0.7 }, { 0.7, 1 } } },
  arms = { mine = cs.kernel {
    omega1 = function(_, draw) return { draw:normal(), draw:normal() } end,
    map = leapfrogs, log_ratio = log_ratio } },
}
]],
    hints = { "A kick adds step times the gradient of log p to v, half a kick a half of it; a drift adds step times v to x.",
              "The ratio compares exp(log p - |v|^2 / 2) at the two ends." },
    judge = {
      laws = { "stationarity", "returns" }, seconds = 1,
      arms = { hmc = cs.kernel.hmc { step = 0.5, leapfrogs = 5, jitter = 0 } },
      claims = { { stat = "acceptance", less_than = "hmc", near = 0, within = 0.02 }, { stat = "sd", of = 1, near = 1, within = 0.05 } },
    },
  },
}
