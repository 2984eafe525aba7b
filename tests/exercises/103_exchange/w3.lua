-- slip: simulates_at_the_old
-- say: you simulate at the old state: then the constants do not cancel
-- The exchange algorithm for a Poisson mean: complete simulate and log_ratio.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 103 --mark mine.lua
local cs = require "chainscope"
local M = cs.math

local n, data = 4, 13 -- the number of counts, and their sum

-- Returns log f(sum, x), without its constant.
local function log_f(sum, x) return sum * math.log(x) end

-- Returns the sum of n simulated counts; draw:poisson(mean) is a Poisson number.
local function simulate(from, to, draw)
  return draw:poisson(n * from)
end

-- Returns the log ratio of the exchange algorithm, for the simulated sum w.
local function log_ratio(from, to, w)
  return log_f(data, to) - log_f(data, from) + log_f(w, from) - log_f(w, to)
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
