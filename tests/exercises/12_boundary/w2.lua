-- slip: truncated_at_the_end
-- say: the probability that a draw is positive depends on `from`, and you computed it for `to`
-- A proposal that is drawn again until it is positive: repair the kernel.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 12 --mark mine.lua
local cs = require "chainscope"
local M = cs.math

local function propose(x, draw)
  local y
  repeat y = x[1] + draw:normal() until y > 0
  return { y }
end

-- Returns log q(to | from). cs.lcdf.normal(x, 0, 1) is the log of the normal distribution function.
local function log_q(from, to)
  return -0.5 * (to[1] - from[1])^2 - cs.lcdf.normal(to[1], 0, 1)
end

return cs.scenario {
  title = "Exercise 12", chains = 4, budget = { steps = 10000 }, start = { 1 },
  target = cs.target { space = cs.real(1), log_density = function(x)
    return M.where(M.le(0, x[1]), -x[1], -math.huge)
  end },
  arms = { mine = cs.kernel { propose = propose, log_q = log_q } },
}
