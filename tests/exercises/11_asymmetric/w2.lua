-- slip: variance_for_deviation
-- say: your log_q is that of N(m, s): its variance is s, but the variance of your draws is s^2
-- log_q of a proposal with a drift: complete the function log_q.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 11 --mark mine.lua
local cs = require "chainscope"
local M = cs.math

local function propose(x, draw)
  return { x[1] + 0.2 * (3 - x[1]) + 2 * draw:normal() }
end

-- Returns log q(to | from), the log density of proposing `to` from the state `from`.
local function log_q(from, to)
  return -0.5 * (to[1] - from[1] - 0.2 * (3 - from[1]))^2 / 2
end

return cs.scenario {
  title = "Exercise 11", chains = 4, budget = { steps = 20000 }, start = { 3 },
  target = cs.target { space = cs.real(1), log_density = function(x)
    return M.where(M.lt(0, x[1]), 2 * M.log(M.abs(x[1])) - x[1], -math.huge)
  end },
  arms = { mine = cs.kernel { propose = propose, log_q = log_q } },
}
