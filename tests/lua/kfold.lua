-- Exact cross-validation of a normal mean with a known standard deviation, for which the density
-- of held-out rows is known, and sensitivities to the powers of prior and likelihood.
local cs = require "chainscope"
local near = function(a, b, off, what) assert(math.abs(a - b) <= off, ("%s: %.10g is not %.10g"):format(what, a, b)) end
local y = { 0.3, -1.2, 2.1, 0.7, -0.4, 1.5, 0.2, -0.9, 1.1, 0.6, 3.2, -0.1 }
local n = #y
local function values(list)
  local v = {}
  for i, k in ipairs(list) do v[i] = y[k] end
  return cs.math.vector(v)
end
local all = {}
for i = 1, n do all[i] = i end

local seen = {}
local function model(train, test)
  for _, list in ipairs { train, test } do
    for i = 2, #list do assert(list[i] > list[i - 1], "rows are in order") end
  end
  for _, row in ipairs(test) do seen[row] = (seen[row] or 0) + 1 end
  local inside, outside = values(train), values(test)
  return {
    target = cs.target {
      params = { mu = cs.real() },
      log_density = function(p) return cs.lpdf.normal(inside, p.mu, 1) + cs.lpdf.normal(p.mu, 0, 10) end,
      generated = function(p) return { log_lik = cs.lpdf.each.normal(outside, p.mu, 1), log_prior = cs.lpdf.normal(p.mu, 0, 10) } end,
    },
    chains = 4, seed = 3, warmup = 200, keep = 5000, arms = { a = cs.kernel.mala { step = 0.5 } }, budget = { steps = 3200 },
  }
end

-- Returns the log predictive density of a row, given the rows of other folds.
local function exact(fold, row)
  local precision, total = 1 / 100, 0
  for i = 1, n do
    if fold[i] ~= fold[row] then precision, total = precision + 1, total + y[i] end
  end
  local variance = 1 + 1 / precision
  return -0.5 * math.log(2 * math.pi * variance) - (y[row] - total / precision) ^ 2 / 2 / variance
end
local function check(result, folds)
  local sum, square, count = 0, 0, 0
  for i = 1, n do
    near(result.pointwise[i], exact(result.fold, i), 5 * result.mcse[i] + 1e-3, "row " .. i)
    assert(result.mcse[i] > 0 and result.mcse[i] < 0.02, "Monte Carlo error")
    sum, count = sum + result.pointwise[i], math.max(count, result.fold[i])
  end
  for i = 1, n do square = square + (result.pointwise[i] - sum / n) ^ 2 end
  near(result.elpd, sum, 1e-9, "elpd")
  near(result.error, math.sqrt(n * square / (n - 1)), 1e-9, "its error")
  assert(count == folds and result.folds == folds)
end

-- Leave-one-out by running: PSIS agrees with it, within its own errors.
local one_out = cs.kfold { rows = n, folds = n, model = model }
check(one_out, n)
for i = 1, n do assert(seen[i] == 1, "each row is held out once") end
local whole = cs.open(model(all, all))
whole:step(3200)
local loo = whole:arm(1):loo()
for i = 1, n do near(loo.pointwise[i], one_out.pointwise[i], 5 * (loo.mcse[i] + one_out.mcse[i]) + 2e-3, "PSIS of row " .. i) end
local rows = cs.compare { psis = loo, exact = one_out }
assert(math.abs(rows[2].difference) < 0.05 and rows[1].name ~= rows[2].name, tostring(rows))
assert(loo.observations[2] == "log_lik.2" and loo.bad == 0)
local compared, reason = pcall(cs.compare, loo, one_out)
assert(not compared and tostring(reason):find("takes a table of results", 1, true), tostring(reason))

-- Random folds of equal size depend on the seed only; groups are given as a list.
local four = cs.kfold { rows = n, folds = 4, seed = 7, model = model }
check(four, 4)
local sizes, same = { 0, 0, 0, 0 }, true
for i = 1, n do
  sizes[four.fold[i]] = sizes[four.fold[i]] + 1
  same = same and four.fold[i] == (i - 1) % 4 + 1
end
for k = 1, 4 do assert(sizes[k] == 3, "size of a fold") end
assert(not same, "the rows are shuffled")
assert(tostring(four):find "^elpd_kfold %-%d+%.%d %+%- %d", tostring(four))
check(cs.kfold { rows = n, folds = { 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2 }, model = model, arm = "a" }, 2)

-- A row that some draws of a fold exclude: for y uniform on (0, theta) and a Pareto prior, the
-- posterior without the row is a Pareto law, and the density of the row is known.
local z = { 0.5, 1.9, 0.7, 1.2 }
local law = function(list)
  local low = 1
  for _, row in ipairs(list) do low = math.max(low, z[row]) end
  return low, 3 + #list
end
local bounded = cs.kfold { rows = 4, folds = 4, model = function(train, test)
  local low, shape = law(train)
  return {
    target = cs.target {
      params = { above = cs.positive() },
      log_density = function(p) return cs.lpdf.pareto(low + p.above, low, shape) end,
      generated = function(p) return { log_lik = cs.lpdf.uniform(z[test[1]], 0, low + p.above) } end,
    },
    chains = 4, seed = 2, warmup = 100, keep = 4000, arms = { a = cs.kernel.slice {} }, budget = { steps = 4000 },
  }
end }
for i = 1, 4 do
  local train = {}
  for k = 1, 4 do if k ~= i then train[#train + 1] = k end end
  local low, shape = law(train)
  local density = math.log(shape / (shape + 1)) - (z[i] <= low and math.log(low) or (shape + 1) * math.log(z[i]) - shape * math.log(low))
  near(bounded.pointwise[i], density, 3 * bounded.mcse[i] + 1e-9, "the excluded row " .. i)
end
assert(bounded.mcse[2] > 0.01, "the density of the largest row varies")

-- Sensitivities: the prior is wide, so only the likelihood matters. The verdict changes with a
-- prior that contradicts the data.
local list = whole:arm(1):sensitivity()
assert(#list == 1 and list[1].quantity:find "mu" and list[1].verdict == "-", tostring(list))
assert(list[1].prior < 0.005 and list[1].likelihood > 0.05, tostring(list))
near(whole:arm(1):sensitivity(1.25)[1].likelihood, list[1].likelihood, 0.02, "another power")
for _, power in ipairs { 1, 2.1, 0 / 0, "x" } do
  local good, refusal = pcall(whole:arm(1).sensitivity, whole:arm(1), power)
  assert(not good and tostring(refusal):find("must be above 1 and at most 2", 1, true), tostring(refusal))
end
-- The same numbers are figures, with errors from the differences between chains.
near(whole:arm(1):figure "elpd_loo", loo.elpd, 1e-12, "the figure elpd_loo")
near(whole:arm(1):figure("prior_sensitivity", "mu"), list[1].prior, 1e-12, "a figure")
near(whole:arm(1):figure("likelihood_sensitivity", "mu"), list[1].likelihood, 1e-12, "a figure")
local judged = whole:judge { { arm = "a", stat = "elpd_loo", at_least = -25 }, { arm = "a", stat = "prior_sensitivity", of = "mu", at_most = 0.05 } }
for i = 1, 2 do assert(judged[i].error > 0 and judged[i].error < 1, "the error of a figure") end
local plain = cs.open { target = cs.target.gaussian { dim = 2 }, arms = { a = cs.kernel.mala { step = 1 } } }
plain:step(3000)
local none, why = plain:arm(1):figure "elpd_loo"
assert(not none and why:find "not defined here", why)
none, why = plain:arm(1):figure("prior_sensitivity", 1)
assert(not none and why:find "not defined here", why)

local function against(center)
  local data = cs.math.vector { 6, 6.5, 5.5, 6 }
  local run = cs.open {
    target = cs.target {
      params = { mu = cs.real() },
      log_density = function(p) return cs.lpdf.normal(data, p.mu, 1) + cs.lpdf.normal(p.mu, center, 1) end,
      generated = function(p) return { density = cs.lpdf.normal(data, p.mu, 1), prior = cs.lpdf.normal(p.mu, center, 1) } end,
    },
    chains = 4, seed = 3, warmup = 200, arms = { a = cs.kernel.mala { step = 0.7 } },
  }
  run:step(2200)
  return run:arm(1):sensitivity(1.01, "prior", "density")[1].verdict
end
assert(against(0) == "prior-data conflict", against(0))
assert(against(6) ~= "prior-data conflict", against(6))

-- ---- invalid input ----
local function refused(fields, want)
  local ok, why = pcall(cs.kfold, fields)
  assert(not ok and tostring(why):find(want, 1, true), want .. " <> " .. tostring(why))
end
local function changed(more)
  return function(train, test)
    local fields = model(train, test)
    for key, value in next, more do fields[key] = value end
    return fields
  end
end
refused({ rows = n }, "model")
refused({ rows = 1, model = model }, "rows")
refused({ rows = n, folds = 13, model = model }, "between 2 and the number of rows, 12")
refused({ rows = n, folds = 2.5, model = model }, "folds is 2.5")
refused({ rows = n, folds = { 1, 2 }, model = model }, "2 elements")
refused({ rows = 3, folds = { 1, 3, 3 }, model = model }, "no row is in fold 2")
refused({ rows = 3, folds = { 1, 1, 1 }, model = model }, "one fold")
refused({ rows = 3, folds = { 1, "x", 2 }, model = model }, "element 2 is x")
refused({ rows = n, folds = 3, model = function() return 1 end }, "returned a number for fold 1")
refused({ rows = n, folds = 3, model = function(train) return model(train, all) end }, "has 12 elements, but fold 1 has 4 rows")
refused({ rows = n, folds = 3, model = model, log_lik = "other" }, "no quantity 'other'")
refused({ rows = n, folds = 3, model = changed { arms = { a = cs.kernel.mala { step = 1 }, b = cs.kernel.mala { step = 2 } } } }, "several arms")
assert(not pcall(whole.arm(whole, 1).sensitivity, whole:arm(1), 1))
assert(not pcall(whole.arm(whole, 1).sensitivity, whole:arm(1), 1.01, "none"))
