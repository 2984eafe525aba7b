-- Compares targets in C that are sums over rows with the same models written as
-- terms. Their values agree inside and outside the support, and so do the steps
-- of their chains with batches. Exact results are compared with sums computed
-- here.
local cs = require "chainscope"
local M = cs.math

local function near(a, b, what, within)
  assert(a == b or math.abs(a - b) <= (within or 1e-12) * (1 + math.abs(b)), ("%s: %.17g is not %.17g"):format(what, a, b))
end

-- 77 rows fill two tiles, and a part of a third tile.
local n, d = 77, 10
local rows, data, means, given = {}, { x = {}, y = {} }, {}, { y = {} }
local labelled, sides = {}, { x = {}, y = {} }
local variances = {}
for i = 1, n do
  local row, mean = {}, {}
  for j = 1, d do
    row[j], mean[j] = 2 * math.sin(i * j + j * j), 3 * math.cos(i * j) + 0.1 * j
    variances[j] = 1 / j
  end
  row[d + 1] = 3 * math.cos(i) + row[1] - row[4]
  rows[i], data.x[i], data.y[i] = row, { table.unpack(row, 1, d) }, row[d + 1]
  means[i], given.y[i] = mean, mean
  sides.x[i], sides.y[i] = mean, i % 3 == 0 and 1 or 0
  labelled[i] = table.move(mean, 1, d, 1, { [d + 1] = sides.y[i] })
end

local pairs_of = {
  robust = {
    cs.target.robust_regression { table = rows, nu = 3, beta = 0.3, radius = 4 },
    cs.target {
      name = "robust", space = cs.real(d), data = data,
      prior = function(x) return M.where(M.le(M.sum(x * x), 16), 0, -math.huge) end,
      term = function(x, row) return -0.3 * 2 * M.log(1 + (row.y - M.dot(x, row.x)) ^ 2 / 3) end,
    } },
  truncated = {
    cs.target.truncated_gaussian { table = means, variances = variances, beta = 0.01, box = 2 },
    cs.target {
      name = "truncated", space = cs.real(d), data = given,
      prior = function(x) return M.where(M.le(M.max(M.abs(x)), 2), 0, -math.huge) end,
      term = function(x, row)
        local sum = 0
        for j = 1, d do sum = sum + (row.y[j] - x[j]) ^ 2 / variances[j] end
        return -0.005 * sum
      end,
    } },
}

pairs_of.logistic = {
  cs.target.logistic_regression { table = labelled, standardise = false, intercept = false, radius = 4 },
  cs.target {
    name = "logistic", space = cs.real(d), data = sides,
    prior = function(x) return M.where(M.le(M.sum(x * x), 16), 0, -math.huge) end,
    term = function(x, row)
      local e = M.dot(x, row.x)
      return row.y * e - M.log1p(M.exp(e))
    end,
  } }

local function state(k, size)
  local x = {}
  for j = 1, d do x[j] = size * math.sin(j * k) end
  return x
end

-- Both targets use the same batches, so the paths of the chains stay together.
local function follow(target)
  local run = cs.open { target = target, chains = 5, seed = 3, start = { state(1, 0.5) }, keep = 40, warmup = 0,
    arms = { a = cs.kernel.sgld { rate = 1e-4, batch = 7 } }, budget = { steps = 40 } }
  run:step(40)
  return run:arm(1)
end

for name, pair in pairs(pairs_of) do
  local built_in, traced = pair[1], pair[2]
  assert(built_in.dim == d and built_in.name:match(name))
  for k = 1, 6 do
    local x = state(k, k == 6 and 5 or 1.2)
    near(built_in:log_density(x), traced:log_density(x), name .. ": log density")
    assert((built_in:log_density(x) == -math.huge) == (k == 6))
    local a, b = built_in:gradient(x), traced:gradient(x)
    for j = 1, d * (k < 6 and 1 or 0) do near(a[j], b[j], name .. ": gradient " .. j) end
  end
  local one, two = follow(built_in), follow(traced)
  for c = 1, 5 do
    local x, y = one:chain(c):state(), two:chain(c):state()
    for j = 1, d do near(x[j], y[j], name .. ": after 40 steps", 1e-11) end
  end
end

-- The values of a row do not depend on the number of rows. Each seed gives
-- other rows.
local function at(name, more)
  return cs.target[name](more):log_density { 0.3, -0.2 }
end
for _, name in ipairs { "robust_regression", "truncated_gaussian" } do
  assert(at(name, { rows = 40 }) == at(name, { rows = 40, seed = 1 }))
  assert(at(name, { rows = 40 }) ~= at(name, { rows = 40, seed = 2 }))
  assert(at(name, { rows = 41 }) < at(name, { rows = 40 }))
end

-- Impossible settings are errors.
local function fails(name, more, text)
  local good, message = pcall(cs.target[name], more)
  assert(not good and tostring(message):find(text, 1, true), tostring(message))
end
fails("robust_regression", { table = { { 1 }, { 2 } } }, "the table has only one column")
fails("robust_regression", { table = { { 1, 2 }, { 1e30, 2 } } }, "row 2 are too large")
fails("robust_regression", { table = { { 1, 2 } }, file = "x.csv" }, "both file and table")
fails("logistic_regression", { table = { { 1 }, { 0 } } }, "the table has only one column")
fails("logistic_regression", { table = { { 1, 2 } } }, "the response of row 1 is 2")
fails("logistic_regression", { prior_sd = 3, radius = 2 }, "both prior_sd and radius")
fails("truncated_gaussian", { table = { { 1, 2 } }, variances = { 1 } }, "1 variances for 2 columns")
fails("truncated_gaussian", { table = { { 1, 2 } }, variances = { 1, -1 } }, "variance 2 is -1")
fails("truncated_gaussian", { table = { { 1, 0 }, { 1, 1e200 } } }, "row 2 has 1e+200")
