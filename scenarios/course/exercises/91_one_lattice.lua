-- Exercise: a proposal that knows which spin wants to turn
local cs = require "chainscope"

local function propose(x, draw, _, target)
  local w, sum, here = {}, 0, target:log_density(x)
  for i = 1, #x do
    local y = { table.unpack(x) }
    y[i] = 1 - y[i]
    w[i] = math.exp(0.5 * (target:log_density(y) - here))
    sum = sum + w[i]
  end
  local u, k = draw:uniform() * sum, 1
  while k < #x and u >= w[k] do u, k = u - w[k], k + 1 end
  local y = { table.unpack(x) }
  y[k] = 1 - y[k]
  return y
end

return cs.scenario {
  title = "Exercise: log_q of an informed proposal",
  shows = "weights before and after a flip have different sums",
  tags = "course week-9 exercise",
  target = cs.target.ising { rows = 3, cols = 3, beta = 0.4 },
  chains = 4, seed = 1, budget = { steps = 2000 },
  arms = { given = cs.kernel { propose = propose } },
  exercise = {
    text = "The proposal flips one spin, with probability proportional to sqrt(p(y) / p(x)). Write log_q.",
    skeleton = [[
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
  return 0
end

return cs.scenario {
  title = "Exercise 91", chains = 4, budget = { steps = 2000 },
  target = cs.target.ising { rows = 3, cols = 3, beta = 0.4 },
  arms = { mine = cs.kernel { propose = propose, log_q = log_q } },
}
]],
    hints = { "The spin i is flipped with probability w[i] / sum.", "Both w[i] and the sum belong to the state `from`." },
    judge = { laws = { "stationarity", "record", "sums" }, seconds = 3, proposal = "given" },
  },
}
