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
    text = "The proposal y = x + 0.2 (3 - x) + 2 z, with a standard normal z, is drawn to 3. Write log_q, " ..
      "so that the chain samples gamma(3, 1). A constant that does not depend on the states may be left out.",
    skeleton = [[
-- log_q of a proposal with a drift: complete the function log_q.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 11 --mark mine.lua
local cs = require "chainscope"
local M = cs.math

local function propose(x, draw)
  return { x[1] + 0.2 * (3 - x[1]) + 2 * draw:normal() }
end

-- Returns log q(to | from), the log density of proposing `to` from the state `from`.
local function log_q(from, to)
  return 0
end

return cs.scenario {
  title = "Exercise 11", chains = 4, budget = { steps = 20000 }, start = { 3 },
  target = cs.target { space = cs.real(1), log_density = function(x)
    return M.where(M.lt(0, x[1]), 2 * M.log(M.abs(x[1])) - x[1], -math.huge)
  end },
  arms = { mine = cs.kernel { propose = propose, log_q = log_q } },
}
]],
    hints = { "Which normal distribution is y drawn from, given x?", "Its centre depends on `from`." },
    judge = {
      laws = { "stationarity", "record" }, proposal = "given",
      claims = { { stat = "mean", of = 1, near = 3, within = 0.05 }, { stat = "sd", of = 1, near = 1.732, within = 0.06 } },
    },
  },
}
