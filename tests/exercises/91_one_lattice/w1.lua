-- slip: constant_log_q
-- say: your log_q is constant: the weights forth and back, and their sums, are different
-- log_q of a proposal that knows which spin wants to turn: complete the function log_q.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 91 --mark mine.lua
local cs = require "chainscope"

-- Returns the weights of the nine flips, and their sum.
local function weights(x, target)
  local w, sum, here = {}, 0, target:log_density(x)
  for i = 1, #x do
    local y = { table.unpack(x) }
    y[i] = 1 - y[i]
    w[i] = math.exp(0.5 * (target:log_density(y) - here))
    sum = sum + w[i]
  end
  return w, sum
end

local function propose(x, draw, _, target)
  local w, sum = weights(x, target)
  local u, k = draw:uniform() * sum, 1
  while k < #x and u >= w[k] do u, k = u - w[k], k + 1 end
  local y = { table.unpack(x) }
  y[k] = 1 - y[k]
  return y
end

-- Returns log q(to | from). from[i] ~= to[i] for exactly one i.
local function log_q(from, to, _, target)
  return 1
end

return cs.scenario {
  title = "Exercise 91", chains = 4, budget = { steps = 2000 },
  target = cs.target.ising { rows = 3, cols = 3, beta = 0.4 },
  arms = { mine = cs.kernel { propose = propose, log_q = log_q } },
}
