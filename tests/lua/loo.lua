-- Leave-one-out predictive densities of a normal model, for which they are known, WAIC computed
-- from the draws in Lua, and the comparison of models.
local cs = require "chainscope"
local near = function(a, b, off, what) assert(math.abs(a - b) <= off, ("%s: %.10g is not %.10g"):format(what, a, b)) end
local y = { 0.3, -1.2, 2.1, 0.7, -0.4, 1.5, 0.2, -0.9, 1.1, 0.6, 3.2, -0.1 }
local n = #y
local vector = cs.math.vector(y)

local function open(sigma)
  return cs.open {
    target = cs.target {
      params = { mu = cs.real() },
      log_density = function(p) return cs.lpdf.normal(vector, p.mu, sigma) + cs.lpdf.normal(p.mu, 0, 10) end,
      generated = function(p) return { log_lik = cs.lpdf.each.normal(vector, p.mu, sigma) } end,
    },
    chains = 4, seed = 3, warmup = 200, keep = 5000,
    arms = { a = cs.kernel.mala { step = 0.5 * sigma } },
  }
end
local function log_normal(x, mean, variance)
  return -0.5 * math.log(2 * math.pi * variance) - (x - mean) ^ 2 / 2 / variance
end
local run = open(1)
run:step(5200)
local arm = run:arm "a"
local loo = arm:loo "log_lik"
assert(#loo.pointwise == n and #loo.k == n)
local total, inside, all = 0, 0, 0
for i = 1, n do all = all + y[i] end
for i = 1, n do
  inside = inside + log_normal(y[i], all / (n + 1 / 100), 1 + 1 / (n + 1 / 100))
  local sum = 0
  for j = 1, n do sum = sum + (j == i and 0 or y[j]) end
  local precision = 1 / 100 + (n - 1)
  local exact = log_normal(y[i], sum / precision, 1 + 1 / precision)
  total = total + exact
  near(loo.pointwise[i], exact, 5 * loo.mcse[i] + 1e-3, "elpd of observation " .. i)
  assert(loo.mcse[i] > 0 and loo.mcse[i] < 0.05, "its error")
  assert(loo.k[i] < 0.7, "its Pareto shape")
end
near(loo.elpd, total, 0.05, "elpd")
near(loo.p, inside - total, 0.03, "the effective number of parameters")

-- WAIC and lpd from the draws.
local place
for i, name in ipairs(run.coordinates) do place = name == "log_lik.1" and i or place end
local lpd, waic = 0, 0
for i = 1, n do
  local m, e, s, q = 0, 0, 0, 0
  for c = 1, 4 do
    for _, row in ipairs(arm:chain(c):draws()) do
      local l = row[place + i - 1]
      m, e, s, q = m + 1, e + math.exp(l), s + l, q + l * l
    end
  end
  lpd = lpd + math.log(e / m)
  waic = waic + math.log(e / m) - (q - s * s / m) / (m - 1)
end
near(loo.waic, waic, 1e-8, "waic")
near(loo.p_waic, lpd - waic, 1e-8, "p_waic")
assert(tostring(loo):find "all Pareto k at most", tostring(loo))

-- The comparison: the difference has the error of the paired differences.
local wide = open(3)
wide:step(5200)
local other = wide:arm("a"):loo "log_lik"
local rows = cs.compare { narrow = loo, wide = other }
assert(rows[1].difference == 0 and rows[1].error == 0 and rows[2].difference < 0)
local first, second = rows[1].name == "narrow" and loo or other, rows[1].name == "narrow" and other or loo
local mean, square = 0, 0
for i = 1, n do mean = mean + (second.pointwise[i] - first.pointwise[i]) / n end
for i = 1, n do square = square + (second.pointwise[i] - first.pointwise[i] - mean) ^ 2 end
near(rows[2].difference, n * mean, 1e-10, "difference")
near(rows[2].error, math.sqrt(n * square / (n - 1)), 1e-10, "error of the difference")
-- At the optimum, the mean of p_k / sum w p is 1 if the weight of k is above 0, and at most 1 otherwise.
local w = { [rows[1].name] = rows[1].weight, [rows[2].name] = rows[2].weight }
near(w.narrow + w.wide, 1, 1e-9, "the weights")
for name, list in next, { narrow = loo.pointwise, wide = other.pointwise } do
  local slope = 0
  for i = 1, n do
    slope = slope + math.exp(list[i]) / (w.narrow * math.exp(loo.pointwise[i]) + w.wide * math.exp(other.pointwise[i])) / n
  end
  assert(w[name] > 1e-6 and math.abs(slope - 1) < 1e-6 or w[name] <= 1e-6 and slope < 1 + 1e-6, name .. ": slope " .. slope)
end
assert(tostring(rows):find "elpd_diff")

for _, wrong in ipairs { function() arm:loo "nothing" end, function() arm:loo(3) end, function() cs.compare {} end,
                         function() cs.compare { a = 1 } end } do
  assert(not pcall(wrong))
end

-- All generated quantities of a run that a script opens are recorded, also if 8192 draws of them
-- would need more than the usual memory. The names of other quantities that are not recorded are
-- in the message.
local many = {}
for i = 1, 800 do many[i] = math.sin(i) end
many = cs.math.vector(many)
local large = cs.open {
  target = cs.target {
    params = { mu = cs.real() }, log_density = function(p) return cs.lpdf.normal(many, p.mu, 1) end,
    generated = function(p) return { log_lik = cs.lpdf.each.normal(many, p.mu, 1) } end,
  },
  chains = 4, seed = 3, arms = { a = cs.kernel.mala { step = 0.03 } },
}
large:step(100)
assert(#large:arm("a"):loo("log_lik").pointwise == 800)
assert(large:arm("a"):figure("quantile", "log_lik.790 at 50 %") < 0)
local wide_space = cs.open { target = cs.target.gaussian { dim = 800 }, arms = { a = cs.kernel.mala { step = 0.1 } } }
wide_space:step(100)
local value, why = wide_space:arm("a"):figure("quantile", "x.790 at 50 %")
assert(not value and why:find("only the first %d+ of 800 quantities are recorded"), why)
assert(wide_space:arm("a"):figure("quantile", "x.600 at 50 %"))

-- A constant log likelihood has no Pareto shape, and its density is exact.
local constant = cs.open {
  target = cs.target {
    params = { mu = cs.real() },
    log_density = function(p) return cs.lpdf.normal(p.mu, 0, 1) end,
    generated = function(p) return { log_lik = cs.lpdf.each.normal(cs.math.vector { 1, 2 }, 0 * p.mu, 1) } end,
  },
  chains = 4, seed = 3, warmup = 20,
  arms = { a = cs.kernel.mala { step = 1 } },
}
constant:step(200)
local exact = constant:arm("a"):loo()
near(exact.elpd, log_normal(1, 0, 1) + log_normal(2, 0, 1), 1e-12, "elpd of constants")
assert(exact.bad == 0 and exact.k[1] ~= exact.k[1] and tostring(exact):find "no Pareto k is defined", tostring(exact))
