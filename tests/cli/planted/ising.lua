-- A small Ising model, and kernels that choose the spin to flip by the change
-- of log p.
local cs = require "chainscope"
local target = cs.target.ising { rows = 3, cols = 3, beta = 0.4 }
local function weights(x, t)
  local w, sum, here = {}, 0, t:log_density(x)
  for i = 1, 9 do
    local y = { table.unpack(x) } y[i] = 1 - y[i]
    w[i] = math.exp(0.5 * (t:log_density(y) - here)) sum = sum + w[i]
  end
  return w, sum
end
local function propose(x, draw, _, t)
  local w, sum = weights(x, t)
  local u, k = draw:uniform() * sum, 1
  while k < 9 and u >= w[k] do u = u - w[k] k = k + 1 end
  local y = { table.unpack(x) } y[k] = 1 - y[k]
  return y
end
return cs.scenario { title = "ising", seed = 1, chains = 4, budget = { steps = 100 }, target = target,
  arms = { { name = "right", kernel = cs.kernel { propose = propose, log_q = function(a, b, _, t)
      local w, sum = weights(a, t) for i = 1, 9 do if a[i] ~= b[i] then return math.log(w[i] / sum) end end return -math.huge end } },
    { name = "informed_unweighted", kernel = cs.kernel { propose = propose } } } }
