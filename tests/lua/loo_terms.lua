-- The log likelihood from the terms of a target: equal to a function that returns it, in draws, loo,
-- the sensitivity to prior and likelihood, the figures and cs.kfold. The prior is not counted.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf

local function near(a, b, what)
  assert(math.abs(a - b) <= 1e-12 * (1 + math.abs(b)), ("%s: %.17g is not %.17g"):format(what, a, b))
end
local N, rows = 150, {}
for i = 1, N do rows[i] = { y = math.sin(3 * i) + 0.02 * i, x = { 1, i / N } } end
local function column(list, of)
  local out = {}
  for i, row in ipairs(list) do out[i] = of(row) end
  return M.vector(out)
end
local function prior(p) return lpdf.normal(p.b, 0, 5) + lpdf.exponential(p.sigma, 1) end
local function each(list, p)
  local mean = p.b[1] + p.b[2] * column(list, function(row) return row.x[2] end)
  return lpdf.each.normal(column(list, function(row) return row.y end), mean, p.sigma)
end
-- Returns the target of the given rows, whose terms are the log likelihood.
local function regression(data, log_lik, generated)
  return cs.target {
    params = { { b = cs.real(2) }, { sigma = cs.positive() } },
    data = data, prior = prior, log_lik = log_lik, generated = generated,
    term = function(p, row) return lpdf.normal(row.y, M.dot(p.b, row.x), p.sigma) end,
  }
end
local function open(target, chains)
  return cs.open { target = target, chains = chains, seed = 3, warmup = 200, keep = 400,
                   arms = { a = cs.kernel.hmc { step = 0.05, leapfrogs = 8 } } }
end

-- Draws, with one chain and with several, of the rows of the data and of other rows.
local others = {}
for i = 1, 70 do others[i] = { y = math.cos(i), x = { 1, -i / 9 } } end
local function both(list) return function(p) return { by_hand = each(list, p), prior_by_hand = prior(p) } end end
for _, case in ipairs { { "terms", rows }, { others, others } } do
  for _, chains in ipairs { 1, 5 } do
    local run = open(regression(rows, case[1], both(case[2])), chains)
    run:step(220)
    assert(run.coordinates[#run.coordinates] == "log_lik." .. #case[2])
    for c = 1, chains do
      local list = run:arm("a"):chain(c):draws()
      assert(#list == 20)
      for _, draw in ipairs(list) do
        for i = 1, #case[2] do near(draw["log_lik." .. i], draw["by_hand." .. i], "log likelihood " .. i) end
        near(draw.log_prior, draw.prior_by_hand, "log prior")
      end
    end
  end
end

-- Results of an arm.
local run = open(regression(rows, "terms", both(rows)), 4)
run:step(600)
local arm = run:arm "a"
local loo, by_hand = arm:loo(), arm:loo "by_hand"
assert(#loo.pointwise == N)
near(loo.elpd, by_hand.elpd, "elpd")
for i = 1, N do near(loo.pointwise[i], by_hand.pointwise[i], "elpd of row " .. i) end
near(arm:figure "elpd_loo", loo.elpd, "figure")
local found, expected = arm:sensitivity(), arm:sensitivity(nil, "prior_by_hand", "by_hand")
for i = 1, 3 do
  near(found[i].prior, expected[i].prior, "sensitivity to the prior")
  near(found[i].likelihood, expected[i].likelihood, "sensitivity to the likelihood")
end

-- Cross-validation: the terms of the rows that were left out.
local few = table.move(rows, 1, 30, 1, {})
local function split(list)
  local out = {}
  for i, row in ipairs(list) do out[i] = few[row] end
  return out
end
local function folds(target)
  return cs.kfold {
    rows = #few, folds = 3,
    model = function(train, test)
      return { target = target(split(train), split(test)), chains = 4, seed = 1, budget = { steps = 300 },
               arms = { a = cs.kernel.hmc { step = 0.05, leapfrogs = 8 } } }
    end,
  }
end
local by_terms = folds(function(train, test) return regression(train, test) end)
local by_function = folds(function(train, test)
  return regression(train, nil, function(p) return { log_lik = each(test, p) } end)
end)
for i = 1, #few do near(by_terms.pointwise[i], by_function.pointwise[i], "elpd of left-out row " .. i) end

-- A list of generated quantities keeps its order, and a given log prior is not replaced.
local kept = regression(rows, "terms", function(p) return { { two = p.sigma }, { log_prior = 2 * p.sigma }, { one = p.b[1] } } end)
local names = table.concat(kept.coordinates, " ", 4, 7)
assert(names == "two log_prior one log_lik.1", names)

-- Refusals.
local function refused(what, hint, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok, "nothing is refused: " .. what)
  assert(text:find(what, 1, true) and text:find(hint, 1, true), text)
end
local plain = { params = { mu = cs.real() }, log_density = function(p) return -p.mu ^ 2 end, log_lik = "terms" }
refused("log_lik needs a log density with `term`", "write generated =", cs.target, plain)
refused("log_lik needs params", "write params", cs.target,
        { space = cs.real(1), data = { y = { 1 } }, term = function(x, row) return -(x[1] - row.y) ^ 2 end, log_lik = "terms" })
refused("already the name of", "another name", regression, rows, "terms", function(p) return { log_lik = p.sigma } end)
refused("log_lik: there is no file 'missing.csv'", 'log_lik = "terms"', regression, rows, "missing.csv")
local unmarked = open(regression(rows), 4)
unmarked:step(220)
refused("no log likelihood of the observations", 'write log_lik = "terms"', unmarked:arm "a".loo, unmarked:arm "a")
refused("no log prior", 'log_lik = "terms"', unmarked:arm "a".sensitivity, unmarked:arm "a")
