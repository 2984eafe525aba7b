-- Exercise: the density of a proposal with a drift
local cs = require "chainscope"
local M = cs.math

local gamma = cs.target { name = "gamma(3)", space = cs.real(1), log_density = function(x)
  return M.where(M.lt(0, x[1]), 2 * M.log(M.abs(x[1])) - x[1], -math.huge)
end }

return cs.scenario {
  title = "Exercise: log_q of a proposal with a drift",
  shows = "a proposal that is drawn to the middle needs its density in the ratio",
  tags = "course week-1 exercise",
  target = gamma, chains = 4, seed = 1, budget = { steps = 20000 },
  start = { { 3 }, { 1 }, { 6 }, { 2 } },
  arms = { given = cs.kernel { propose = function(x, draw)
    return { x[1] + 0.2 * (3 - x[1]) + 2 * draw:normal() }
  end } },
  exercise = {
    text = "The proposal y = x + 0.2 (3 - x) + 2 z, with a standard normal z, is pulled towards 3, so q(y | x) " ..
      "and q(x | y) differ. Write log_q(from, to), the log of q(to | from), so that the chain samples the density " ..
      "p(x) = x^2 exp(-x) / 2 for x > 0. You may leave out a constant that does not depend on the two states.",
    skeleton = [[
-- log_q of a proposal with a drift: complete the function log_q.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 11 --mark mine.lua
local cs = require "chainscope"
local M = cs.math

local function propose(x, draw)
  return { x[1] + 0.2 * (3 - x[1]) + 2 * draw:normal() }
end

-- Returns log q(to | from), the log density of proposing `to` from the state `from`.
-- A state is a list of coordinates. Here it has one: from[1] and to[1] are numbers.
-- In Lua, a^2 is a square, math.exp and math.log are functions, and `local` declares a variable.
local function log_q(from, to)
  return 0
end

return cs.scenario {
  title = "Exercise 11", chains = 4, budget = { steps = 20000 }, start = { 3 },
  -- log p(x): 2 log x - x for x > 0, and minus infinity elsewhere (abs, because both are computed)
  target = cs.target { space = cs.real(1), log_density = function(x)
    return M.where(M.lt(0, x[1]), 2 * M.log(M.abs(x[1])) - x[1], -math.huge)
  end },
  arms = { mine = cs.kernel { propose = propose, log_q = log_q } },
}
]],
    hints = { "Given x, y is normal. Which mean and which standard deviation does it have?",
              "The mean depends on `from`. Then log_q is the log of this normal density at `to`." },
    judge = {
      laws = { "stationarity", "record" }, proposal = "given",
      claims = { { stat = "mean", of = 1, near = 3, within = 0.05 }, { stat = "sd", of = 1, near = 1.732, within = 0.06 } },
    },
  },
}
