-- Exercise: a proposal that is drawn again until it is inside
local cs = require "chainscope"
local M = cs.math

return cs.scenario {
  title = "Exercise: repair a proposal that is redrawn",
  shows = "a truncated proposal has a density that depends on where it starts",
  tags = "course week-1 exercise",
  target = cs.target { name = "exponential(1)", space = cs.real(1), log_density = function(x)
    return M.where(M.le(0, x[1]), -x[1], -math.huge)
  end },
  chains = 4, seed = 1, budget = { steps = 10000 }, start = { { 3 }, { 1 }, { 0.5 }, { 2 } },
  arms = { given = cs.kernel { propose = function(x, draw)
    local y
    repeat y = x[1] + draw:normal() until y > 0
    return { y }
  end } },
  exercise = {
    text = "The proposal y = x + z, with a standard normal z, is drawn again until y > 0. Repair the kernel: " ..
      "write log_q(from, to), the log of q(to | from), so that the chain samples the density p(x) = exp(-x) for " ..
      "x > 0. All proposals must still be positive.",
    skeleton = [[
-- A proposal that is drawn again until it is positive: repair the kernel.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 12 --mark mine.lua
local cs = require "chainscope"
local M = cs.math

local function propose(x, draw)
  local y
  repeat y = x[1] + draw:normal() until y > 0
  return { y }
end

-- Returns log q(to | from), the log density of proposing `to` from the state `from`.
-- A state is a list of coordinates. Here it has one: from[1] and to[1] are numbers.
-- cs.lcdf.normal(x, 0, 1) is the log of the probability that a standard normal number is below x.
local function log_q(from, to)
  return 0
end

return cs.scenario {
  title = "Exercise 12", chains = 4, budget = { steps = 10000 }, start = { 1 },
  -- log p(x): -x for x >= 0, and minus infinity elsewhere
  target = cs.target { space = cs.real(1), log_density = function(x)
    return M.where(M.le(0, x[1]), -x[1], -math.huge)
  end },
  arms = { mine = cs.kernel { propose = propose, log_q = log_q } },
}
]],
    hints = { "With which probability is the first draw y positive, from x = 0 and from x = 10?",
              "Given x, the density of y is the normal density divided by the probability that a draw is positive." },
    judge = {
      laws = { "stationarity", "record" },
      claims = { { stat = "mean", of = 1, near = 1, within = 0.08 }, { stat = "acceptance", at_least = 0.6 } },
    },
  },
}
