-- Exercise: the ratio of the exchange algorithm
local cs = require "chainscope"
local M = cs.math

local n, sum = 4, 13

return cs.scenario {
  title = "Exercise: the exchange ratio for a Poisson mean",
  shows = "data that are simulated at the proposal replace the unknown constant",
  tags = "course week-10 exercise",
  target = cs.target {
    name = "Poisson mean", space = cs.real(1),
    log_density = function(x) return M.where(M.lt(0, x[1]), sum * M.log(M.abs(x[1])) - n * x[1], -math.huge) end,
    sample = function(draw)
      local x = 0
      for _ = 1, sum + 1 do x = x + draw:exponential() end
      return { x / n }
    end,
  },
  chains = 4, seed = 17, budget = { steps = 20000 }, start = { 3 },
  arms = { walk = cs.kernel.random_walk { step = 1.5 } },
  exercise = {
    text = "Four counts with sum 13 are Poisson with mean x, and the prior of x > 0 is flat. Suppose that only " ..
      "f(y, x) = x^(sum of y) is known, up to a constant Z(x). Write `simulate` and `log_ratio` of the exchange algorithm, " ..
      "without Z.",
    skeleton = [[
-- The exchange algorithm for a Poisson mean: complete simulate and log_ratio.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 103 --mark mine.lua
local cs = require "chainscope"
local M = cs.math

local n, data = 4, 13 -- the number of counts, and their sum

-- Returns log f(sum, x), without its constant.
local function log_f(sum, x) return sum * math.log(x) end

-- Returns the sum of n simulated counts; draw:poisson(mean) is a Poisson number.
local function simulate(from, to, draw)
  return 0
end

-- Returns the log ratio of the exchange algorithm, for the simulated sum w.
local function log_ratio(from, to, w)
  return 0
end

return cs.scenario {
  title = "Exercise 103", chains = 4, budget = { steps = 20000 }, start = { 3 },
  target = cs.target { space = cs.real(1), log_density = function(x)
    return M.where(M.lt(0, x[1]), data * M.log(M.abs(x[1])) - n * x[1], -math.huge)
  end },
  arms = { mine = cs.kernel {
    omega1 = function() return 0 end,
    propose = function(x, _, draw) return { x[1] + 1.5 * draw:normal() } end,
    omega2 = function(x, y, _, draw) return y[1] > 0 and simulate(x[1], y[1], draw) or 0 end,
    log_ratio = function(x, y, _, w) return y[1] > 0 and log_ratio(x[1], y[1], w) or -math.huge end,
  } },
}
]],
    hints = { "At the proposal `to`, simulate four new counts w. Their sum is Poisson with mean 4 to.",
              "The ratio is f(data, to) f(w, from) / (f(data, from) f(w, to)): Z(from) and Z(to) cancel." },
    judge = {
      laws = { "stationarity", "again" }, seconds = 2,
      claims = { { stat = "mean", of = 1, near = 3.5, within = 0.06 }, { stat = "sd", of = 1, near = 0.9354, within = 0.06 } },
    },
  },
}
