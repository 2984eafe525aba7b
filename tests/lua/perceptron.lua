-- Compares the perceptron in C with the same model written as a term over rows.
-- Both have the same values, and their chains make the same steps with batches.
-- The predictions of a chain are compared with values computed from its draws.
local cs = require "chainscope"
local M = cs.math
local inputs, hidden, n, held = 3, 11, 30, 9
local dim = (inputs + 2) * hidden + 1

local rows, test, data = {}, {}, { x = {}, y = {} }
for i = 1, n + held do
  local row = {}
  for j = 1, inputs do row[j] = math.sin(i * j + j * j) end
  row[inputs + 1] = math.cos(i)
  if i > n then
    test[i - n] = row
  else
    rows[i], data.x[i], data.y[i] = row, { table.unpack(row, 1, inputs) }, row[inputs + 1]
  end
end
local built_in = cs.target.perceptron { table = rows, held_table = test, hidden = hidden, standardise = "nothing",
                                        noise = 0.5, precision = 2 }
local traced = cs.target {
  name = "traced", space = cs.real(dim), data = data,
  prior = function(x) return -M.sum(x * x) end,
  term = function(x, row)
    local z = M.slice(x, inputs * hidden + 1, (inputs + 1) * hidden)
    for i = 1, inputs do z = z + M.slice(x, (i - 1) * hidden + 1, i * hidden) * row.x[i] end
    local v = M.slice(x, (inputs + 1) * hidden + 1, (inputs + 2) * hidden)
    return -2 * (row.y - x[dim] - M.dot(v, M.tanh(z))) ^ 2
  end,
}
assert(built_in.dim == dim)

local function near(a, b, what, within)
  assert(math.abs(a - b) <= (within or 1e-12) * (1 + math.abs(b)), ("%s: %.17g is not %.17g"):format(what, a, b))
end

for k = 1, 5 do
  local x = {}
  for i = 1, dim do x[i] = math.sin(i * k) end
  near(built_in:log_density(x), traced:log_density(x), "log density")
  local a, b = built_in:gradient(x), traced:gradient(x)
  for i = 1, dim do near(a[i], b[i], "gradient " .. i) end
end

-- Both targets use the same batches, so the paths of the chains stay together
-- for some steps.
local function follow(target)
  local run = cs.open { target = target, chains = 5, seed = 3, start = { (function()
      local x = {}
      for i = 1, dim do x[i] = math.sin(i) / 2 end
      return x
    end)() }, keep = 50, warmup = 0,
    arms = { a = cs.kernel.sgld { rate = 1e-4, batch = 7 } }, budget = { steps = 50 } }
  run:step(50)
  return run
end
local run = follow(built_in)
local one, two = run:arm(1), follow(traced):arm(1)
for c = 1, 5 do
  local x, y = one:chain(c):state(), two:chain(c):state()
  for i = 1, dim do near(x[i], y[i], "after 50 steps", 1e-11) end
end
assert(one.data_terms == two.data_terms and one.data_terms >= 5 * 50 * 7)

-- Compares the scores of the mean prediction over the draws of a chain.
local function predicted(x, row)
  local f = x[dim]
  for h = 1, hidden do
    local z = x[inputs * hidden + h]
    for i = 1, inputs do z = z + x[(i - 1) * hidden + h] * row[i] end
    f = f + x[(inputs + 1) * hidden + h] * (math.exp(2 * z) - 1) / (math.exp(2 * z) + 1)
  end
  return f
end
local function rmse(draws, first, last)
  local square = 0
  for _, row in ipairs(test) do
    local sum = 0
    for i = first, last do sum = sum + predicted(draws[i], row) / (last - first + 1) end
    square = square + (sum - row[inputs + 1]) ^ 2 / held
  end
  return math.sqrt(square)
end
local sum = 0
for c = 1, 5 do
  local chain = one:chain(c)
  local draws = chain:draws()
  near(chain:held_out().rmse, rmse(draws, 1, #draws), "all draws")
  near(chain:held_out(4).rmse, rmse(draws, 4, #draws), "the later ones")
  near(chain:held_out(7, 7).rmse, rmse(draws, 7, 7), "a single one")
  assert(chain:held_out().accuracy == nil and chain:held_out().log_score < 0)
  assert(chain:held_out(#draws + 1) == nil, "no such draw")
  sum = sum + chain:held_out().rmse / 5
end
near(one:figure "average_rmse", sum, "the mean over chains")
near(one:figure "average_log_score", one:figure "average_log_score", "their score")
assert(two:chain(1):held_out() == nil, "it predicts nothing")
local good, why = pcall(one:chain(1).held_out, one:chain(1), 0)
assert(not good and why:find "first")

-- Compares the scores of the mean prediction over weighted draws.
local contour = cs.open { target = built_in, chains = 1, seed = 4, keep = 40, warmup = 0, budget = { steps = 40 },
  arms = { a = cs.kernel.csgld { rate = 1e-4, batch = 7, first = 20, width = 10, bins = 10,
                                 gain = 0.1 } } }
contour:step(40)
local chain = contour:arm(1):chain(1)
local draws, square, top, all = chain:draws(), 0, -math.huge, 0
for _, x in ipairs(draws) do top = math.max(top, x.log_weight) end
for _, x in ipairs(draws) do all = all + math.exp(x.log_weight - top) end
for _, row in ipairs(test) do
  local mean = 0
  for _, x in ipairs(draws) do mean = mean + math.exp(x.log_weight - top) * predicted(x, row) / all end
  square = square + (mean - row[inputs + 1]) ^ 2 / held
end
near(chain:held_out().rmse, math.sqrt(square), "weighted")
assert(all < #draws - 0.01, "the weights differ")
