-- Tests kernels written in Lua as members of cycles and mixtures: their object `target` depends on the
-- other parameters, draws have exact means, failures name the member, and kernels that use
-- more than log p, its gradient and its differences are refused.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf

local function refused(what, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok and text:find(what, 1, true), tostring(text) .. "\nand not " .. what)
end
local function opened(target, kernel, fields)
  local t = { target = target, seed = 5, chains = 4, arms = { arm = kernel } }
  for key, v in next, fields or {} do t[key] = v end
  return cs.open(t)
end

-- The mean of a is b, which another member keeps at 2.
local normal = cs.target {
  params = { { b = cs.real() }, { a = cs.real() } },
  log_density = function(p) return -0.5 * (p.a - p.b) ^ 2 - 0.5 * p.b ^ 2 end,
}
local function asks(x, draw, params, target)
  assert(#x == 1 and math.abs(target:gradient({ 0 })[1] - 2) < 1e-6, target:gradient({ 0 })[1])
  assert(math.abs(target:log_density({ 5 }) - target:log_density({ 2 }) + 4.5) < 1e-6)
  return { x[1] + params.step * draw:normal() }
end
local function with(own) return cs.kernel.cycle { cs.kernel.random_walk { on = "b", step = 1e-12 }, own } end
local run = opened(normal, with(cs.kernel { on = "a", name = "own", params = { step = 2 }, propose = asks }), { start = { 2, 0 } })
run:step(4000)
local sum, n = 0, 0
for c = 1, 4 do
  for _, row in ipairs((run:arm("arm"):chain(c):draws())) do sum, n = sum + row.a, n + 1 end
end
assert(math.abs(sum / n - 2) < 0.1, sum / n)
assert(run:arm("arm").params["own.step"] == 2)

-- A member that fails ends its chain, and is named.
run = opened(normal, with(cs.kernel { on = "a", name = "own", propose = function(x) return x[1] < 1e9 and error "no" or x end }))
assert(not pcall(run.step, run, 3))
local text = run:summary()
assert(text:find("the member own: propose raised an error", 1, true), text)

-- Members on a whole number and on two rates, one with a proposal that is not symmetric, in a cycle
-- and in a tree. The means are those of quadrature.
local y = { 5, 3, 6, 4, 4, 7, 5, 2, 6, 3, 1, 2, 0, 3, 1, 1, 2, 0, 1, 2 }
local point = cs.target {
  params = { { k = cs.integer(1, 19) }, { rate = cs.positive(2) } },
  log_density = function(p)
    local u = lpdf.gamma(p.rate, 2, 1)
    for i = 1, #y do u = u + lpdf.poisson(y[i], p.rate[1 + M.gt(i, p.k)]) end
    return u
  end,
}
local function drift(x, draw) return { x[1] + 0.1 + 0.3 * draw:normal(), x[2] + 0.1 + 0.3 * draw:normal() } end
local function log_q(from, to)
  return -((to[1] - from[1] - 0.1) ^ 2 + (to[2] - from[2] - 0.1) ^ 2) / (2 * 0.3 ^ 2)
end
local function walk(x, draw) return { x[1] + (draw:below(2) == 1 and 1 or -1) } end
local function rates() return cs.kernel { on = "rate", propose = drift, log_q = log_q } end
local function moves(times) return cs.kernel { on = "k", name = "walk", times = times, propose = walk } end
for _, kernel in ipairs {
  cs.kernel.cycle { rates(), moves(4) },
  cs.kernel.mixture { cs.kernel.cycle { rates(), moves(2), name = "own" }, cs.kernel.gibbs { on = "k" } },
} do
  run = opened(point, kernel, { warmup = 200 })
  run:step(6200)
  local mean, n = { 0, 0, 0 }, 0
  for c = 1, 4 do
    for _, row in ipairs((run:arm("arm"):chain(c):draws())) do
      mean, n = { mean[1] + row.k, mean[2] + row["rate.1"], mean[3] + row["rate.2"] }, n + 1
    end
  end
  for i, exact in ipairs { 9.9041337, 4.2414490, 1.4307385 } do
    assert(math.abs(mean[i] / n - exact) < (i == 1 and 0.12 or 0.06), i .. ": " .. mean[i] / n)
  end
end

-- Kernels that ask for more are refused by name.
local function cycle(own) return function() return opened(normal, with(own)) end end
local rule = { on = "a", omega1 = function() return 0 end, propose = drift, log_ratio = function() return 0 end }
refused("auxiliary cannot be the member a: it simulates data of the whole target", function() return cycle(cs.kernel(rule))() end)
refused("function cannot be the member a: it uses more of the target than log p", function()
  return cycle(cs.kernel { on = "a", propose = drift, rows = "range" })()
end)
refused("member 1, function, moves no parameter", function() return cs.kernel.cycle { cs.kernel { propose = drift } } end)
refused("write cs.kernel { on = { ... } }", function() return cs.kernel.cycle { cs.kernel { propose = drift } } end)
