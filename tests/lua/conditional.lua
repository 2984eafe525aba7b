-- Tests members whose conditional distribution is given in Lua: their values by name, their draws
-- against exact answers, rewinding, and the refusal of wrong values and of temperatures.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf

local function refused(what, hint, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok, "nothing is refused: " .. what)
  text = tostring(text)
  assert(text:find(what, 1, true) and text:find(hint, 1, true), text)
end

-- The mixture with labels whose exact answers are known, with the precision of its data as a
-- parameter that has a gamma prior around 1.
local y = { -2.1, -1.4, -0.3, 0.2, 0.9, 1.7, 2.2, 3.0 }
local prior_mean = { -1, 1.5 }
local function model()
  return cs.target {
    params = { { mu = cs.real(2) }, { z = cs.label(2, 8) } },
    log_density = function(p)
      return M.sum(lpdf.normal(p.mu, M.vector(prior_mean), 1.5)) + M.sum(M.gather(M.log(M.vector { 0.35, 0.65 }), p.z)) +
        M.sum(lpdf.normal(M.vector(y), M.gather(p.mu, p.z), 1))
    end,
  }
end
local function draw_mu(p, rng)
  local out = {}
  for k = 1, 2 do
    local n, sum = 0, 0
    for i = 1, 8 do
      if p.z[i] == k then n, sum = n + 1, sum + y[i] end
    end
    local precision = n + 1 / 2.25
    out[k] = rng:normal((sum + prior_mean[k] / 2.25) / precision, 1 / math.sqrt(precision))
  end
  return out
end
local function draw_z(p, rng)
  local z = {}
  for i = 1, 8 do
    z[i] = rng:categorical { 0.35 * math.exp(-0.5 * (y[i] - p.mu[1]) ^ 2), 0.65 * math.exp(-0.5 * (y[i] - p.mu[2]) ^ 2) }
  end
  return z
end
local function both()
  return cs.kernel.cycle { cs.kernel.gibbs { on = "mu", draw = draw_mu }, cs.kernel.gibbs { on = "z", draw = draw_z } }
end
local function opened(target, kernel, fields)
  local t = { target = target, seed = 5, chains = 4, arms = { a = kernel } }
  for key, v in next, fields or {} do t[key] = v end
  return cs.open(t)
end

-- The means of section 6 of the design: mu_1 -0.98911, mu_2 1.48218, P(z_3 = 2) 0.39418.
local run = opened(model(), both(), { warmup = 0 })
run:step(2000)
local sum, n = { 0, 0, 0 }, 0
for c = 1, 4 do
  for _, row in ipairs((run:arm("a"):chain(c):draws())) do
    n = n + 1
    sum[1], sum[2], sum[3] = sum[1] + row[1], sum[2] + row[2], sum[3] + row[5] - 1
  end
end
assert(n == 8000, n)
for i, want in ipairs { -0.9891141, 1.4821843, 0.3941836 } do
  assert(math.abs(sum[i] / n - want) < 0.1, i .. ": " .. sum[i] / n)
end

-- Each step costs one log density and is accepted; the same steps again draw the same numbers.
local report = run:arm("a"):report "kernel/members"
assert(report[1][1] == 1 and report[1][4] == 1, report[1][1] .. " " .. report[1][4])
local before = run:arm("a"):chain(2):draws()
run:rewind(300)
run:step(300)
local after = run:arm("a"):chain(2):draws()
for i = 1800, 2000 do
  for j = 1, 10 do assert(before[i][j] == after[i][j]) end
end

-- It stands beside other kernels, in a mixture and in a member that is made of members.
local kernel = cs.kernel.mixture {
  both(),
  cs.kernel.cycle { cs.kernel.nuts { on = "mu", step = 0.5 }, cs.kernel.gibbs { on = "z", times = 8, name = "labels" }, name = "other" },
}
run = opened(model(), kernel)
run:step(50)

-- Results: a number, a table by name, constrained values; the random numbers of `rng`.
local laws = cs.target {
  params = { { a = cs.real() }, { s = cs.positive() }, { w = cs.simplex(3) }, { u = cs.interval(0, 1) } },
  log_density = function(p)
    return lpdf.normal(p.a, 1, 2) + lpdf.gamma(p.s, 0.5, 2) + 2 * M.log(p.w[1]) + M.log(p.w[2]) + 3 * M.log(p.w[3]) + lpdf.beta(p.u, 2, 3)
  end,
}
local function free(made)
  return cs.kernel.cycle {
    cs.kernel.gibbs { on = { "a", "u" }, draw = function(_, rng) return { u = rng:beta(2, 3), a = rng:normal(1, 2) } end },
    cs.kernel.gibbs { on = "s", draw = made or function(_, rng) return rng:gamma(0.5, 2) end },
    cs.kernel.gibbs { on = "w", draw = function(_, rng) return rng:dirichlet { 3, 2, 4 } end },
  }
end
run = opened(laws, free(), { warmup = 0 })
run:step(1000)
sum = { a = 0, s = 0, w = 0, u = 0 }
for c = 1, 4 do
  for _, row in ipairs((run:arm("a"):chain(c):draws())) do
    sum.a, sum.s, sum.w, sum.u = sum.a + row.a, sum.s + row.s, sum.w + row[3], sum.u + row.u
  end
end
for name, want in next, { a = 1, s = 0.25, w = 3 / 9, u = 0.4 } do
  assert(math.abs(sum[name] / 4000 - want) < 0.12, name .. " " .. sum[name] / 4000)
end

-- A target without parameters: coordinates by number.
local bits = cs.target { space = cs.binary(3), log_density = function(x) return x[1] + x[2] - x[3] end }
run = opened(bits, cs.kernel.cycle {
  cs.kernel.gibbs { on = { 1, 2 } }, cs.kernel.gibbs { on = 3, draw = function(_, rng) return rng:uniform() < 1 / (1 + math.exp(1)) and 1 or 0 end },
})
run:step(20)

local gibbs = cs.kernel.gibbs
-- Discrete values are integers of Lua: in p, in a state without names, and those of rng.
local kinds = { params = { { a = cs.real() }, { b = cs.bit() }, { z = cs.label(3, 4) }, { k = cs.integer(-2, 5) }, { c = cs.count(2, 9) } },
  log_density = function(p) return -p.a ^ 2 - M.sum(p.z) - p.b - 0.1 * p.k - M.sum(p.c) end }
local function is_integer(x) assert(math.type(x) == "integer", tostring(x)) end
local looked = 0
run = opened(cs.target(kinds), cs.kernel.cycle {
  gibbs { on = "a", draw = function(p, rng)
    looked = looked + 1
    for _, x in ipairs { p.b, p.k, p.z[1], p.z[4], p.c[2], rng:categorical { 1, 2, 3 }, rng:bernoulli(0.5), rng:poisson(2), rng:binomial(0.5, 4),
                         rng:bernoulli(M.vector { 0.5, 0.5 })[2] } do is_integer(x) end
    local at = { 10, 20, 30 }
    assert(("%s"):format(p.z[1]) == ("%d"):format(p.z[1]) and at[p.z[2]] and #p.z == 4 and math.type(p.a) == "float")
    assert(M.sum(p.z) == p.z[1] + p.z[2] + p.z[3] + p.z[4] and (p.z + p.c[1])[1] == p.z[1] + p.c[1])
    return rng:normal(0, math.sqrt(0.5))
  end },
  gibbs { on = "b" }, gibbs { on = "z", draw = function(p, rng)
    local z = p.z
    for i = 1, 4 do z[i] = rng:categorical(M.exp(-M.vector { 1, 2, 3 })) end
    return z
  end }, gibbs { on = "k" }, gibbs { on = "c" },
})
run:step(20)
assert(looked > 40)
run = opened(bits, cs.kernel.cycle {
  gibbs { on = { 1, 2 } }, gibbs { on = 3, draw = function(x, rng)
    for i = 1, 3 do is_integer(x[i]) end
    return rng:bernoulli(0.3)
  end },
})
run:step(20)

-- Wrong fields.
refused("'draw' needs 'on'", "on = {", gibbs, { draw = draw_mu })
refused("'draw' is a number", "function(p, rng)", gibbs, { on = "mu", draw = 3 })
refused("'scan' cannot be given with 'draw'", "on, draw", gibbs, { on = "mu", draw = draw_mu, scan = "random" })
refused("'metric' cannot be given with 'draw'", "on, draw", gibbs, { on = "mu", draw = draw_mu, metric = { 1 } })
refused("which has no temperature", "", cs.kernel.simulated_tempering, { rungs = 2, kernel = both() })
refused("which has no temperature", "", cs.kernel.parallel_tempering, { kernel = cs.kernel.mixture { cs.kernel.cycle { both(), name = "one" }, both() } })
refused("returns whole parameters, not 'mu.2'", "mu", function()
  opened(model(), cs.kernel.cycle { gibbs { on = { "mu.1", "z" } }, gibbs { on = "mu.2", draw = draw_mu } })
end)
local three = cs.target { params = { { a = cs.real() }, { b = cs.bit() }, { c = cs.real() } }, log_density = function(p) return -p.a ^ 2 - p.c ^ 2 - p.b end }
refused("the kinds or values of", "", function()
  opened(three, cs.kernel.cycle { gibbs { on = { "a", "b" }, draw = function() return { a = 0, b = 0 } end }, cs.kernel.mala { on = "c" } })
end)
-- A cycle is copied for a second target. A member of two cycles stays with one target.
local k = both()
opened(model(), k):step(3)
opened(model(), k):step(3)
refused("belongs to another target", "each target", function()
  local one = gibbs { on = "mu", draw = draw_mu }
  local function around() return cs.kernel.cycle { one, gibbs { on = "z" } } end
  opened(model(), around())
  opened(model(), around())
end)

-- Wrong values are errors with their names.
local function step(made) return function() opened(laws, free(made)):step(3) end end
refused("draw of s: s (-1) is outside its bounds", "cs.positive", step(function() return -1 end))
refused("draw of s: s is NaN, which is not finite", "", step(function() return -(0 / 0) end))
refused("draw of s: s is inf, which is not finite", "", step(function() return 1 / 0 end))
refused("draw of s: s has 2 numbers, not 1", "", step(function() return { 1, 2 } end))
refused("draw of s: s is a nil", "", step(function() end))
refused("there is no parameter 'q'", "", step(function(p) return p.q end))
refused("attempt to", "conditional.lua", step(function(p) return p.a.b end))
local function label(value)
  return function()
    opened(model(), cs.kernel.cycle { gibbs { on = "mu", draw = draw_mu }, gibbs { on = "z", draw = function() return value end } }):step(2)
  end
end
refused("draw of z: z[3] is 3", "whole numbers from 1 to 2", label { 1, 1, 3, 1, 1, 1, 1, 1 })
refused("draw of z: z[2] is 1.5", "whole numbers from 1 to 2", label { 1, 1.5, 1, 1, 1, 1, 1, 1 })
refused("draw of z: z has 2 numbers, not 8", "", label { 1, 1 })
local hard = cs.target { params = { { k = cs.integer(1, 5) }, { v = cs.real() } },
                         log_density = function(p) return M.log(p.k - 1) - p.v ^ 2 end }
refused("draw of k: the log density is -inf", "the first of which is 1", function()
  opened(hard, cs.kernel.cycle { gibbs { on = "k", draw = function() return 1 end }, cs.kernel.mala { on = "v", step = 0.5 } },
         { start = { k = 4, v = 0 } }):step(2)
end)
local function one_bit(value)
  return function()
    opened(bits, cs.kernel.cycle { gibbs { on = { 1, 2 } }, gibbs { on = 3, draw = function() return value end } }):step(2)
  end
end
refused("outside the space", "", one_bit(2))
refused("draw of x3 returned 2 numbers, not 1", "", one_bit { 1, 0 })
refused("draw of x3: number 1 is a string", "", one_bit "a")

-- Small shapes give numbers below the smallest float. Their shares are not NaN.
opened(cs.target { params = { { k = cs.bit() }, { v = cs.real() } }, log_density = function(p) return -p.v ^ 2 - p.k end },
  cs.kernel.cycle { cs.kernel.mala { on = "v", step = 0.5 }, gibbs { on = "k", draw = function(_, rng)
    local shares = rng:dirichlet { 1e-3, 1e-3, 1e-3 }
    local beta, sum = rng:beta(1e-3, 1e-3), shares[1] + shares[2] + shares[3]
    assert(beta >= 0 and beta <= 1 and math.abs(sum - 1) < 1e-12, ("beta %g, sum %g"):format(beta, sum))
    return 0
  end } }):step(100)
