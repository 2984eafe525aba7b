-- Predictive checks of a scenario: their fields, and their results beside numbers computed from the
-- recorded draws.
local cs = require "chainscope"

local y = { 1, 4, 2, 0, 7 }
local function target(more)
  return cs.target {
    params = { rate = cs.positive() },
    log_density = function(p) return cs.lpdf.exponential(p.rate, 0.1) + cs.lpdf.poisson(y, p.rate) end,
    generated = function(p, rng)
      return { { y_rep = rng:poisson(p.rate * cs.math.vector { 1, 1, 1, 1, 1 }, more or 60) },
               { log_lik = cs.lpdf.each.poisson(y, p.rate) }, { other = p.rate ^ 2 } }
    end,
  }
end
local function open(predictive, t)
  return cs.open { target = t or target(), predictive = predictive, chains = 4, seed = 3, workers = 1,
                   arms = { a = cs.kernel.mala { step = 0.6 }, b = cs.kernel.random_walk { step = 1 } } }
end
local function range(list)
  local low, high = list[1], list[1]
  for _, x in ipairs(list) do low, high = math.min(low, x), math.max(high, x) end
  return high - low
end

local run = open { data = y, replicated = "y_rep", statistic = { "max", "zeros", range = range } }
run:step(400)
local found = run:arm("a"):predictive()

-- The same from the draws.
local first
for i, name in ipairs(run.coordinates) do if name == "y_rep.1" then first = i end end

-- At most the wanted number of draws, also if there are more chains.
local core = require "chainscope.core"
for _, most in ipairs { 2, 7, 1600, 2000 } do
  local n = core.replicated_size(core.replications(run, 1, first, y, most))
  assert(n <= most and n == ({ [2] = 2, [7] = 4, [1600] = 1600, [2000] = 1600 })[most], n)
end
local function by_hand(f)
  local above, sum, n, of_data = 0, 0, 0, f(y)
  for c = 1, 4 do
    for _, row in ipairs(run:arm("a"):chain(c):draws()) do
      local t = f { table.unpack(row, first, first + 4) }
      above = above + (t > of_data and 1 or t == of_data and 0.5 or 0)
      sum, n = sum + t, n + 1
    end
  end
  return of_data, sum / n, above / n, n
end
local function zeros(list)
  local n = 0
  for _, x in ipairs(list) do n = n + (x == 0 and 1 or 0) end
  return n / #list
end
for name, f in next, { range = range, zeros = zeros, max = function(list) return math.max(table.unpack(list)) end } do
  local of_data, mean, p, n = by_hand(f)
  assert(found[name].data == of_data, name)
  assert(math.abs(found[name].mean - mean) < 1e-12, name)
  assert(math.abs(found[name].p - p) < 1e-12, ("%s: p %g is not %g"):format(name, found[name].p, p))
  assert(found.draws == n and found.left_out == 0)
  assert(found[name].error > 0.5 * math.sqrt(p * (1 - p) / n) and found[name].low <= mean)
end
assert(found.inside_50 >= 0.2 and found.inside_90 >= found.inside_50)
assert(run:predictive():find "y  +a  +max" and run:predictive():find "y  +b  +range")
assert(open(nil):predictive() == nil)

-- Checks with log likelihoods have leave-one-out densities, and two checks are compared.
local text = run:predictive()
assert(text:find("y, a: " .. tostring(run:arm("a"):loo "log_lik"), 1, true), text)
assert(not text:find "elpd_diff")
local two = open { { data = y, replicated = "y_rep" }, { name = "again", data = y, replicated = "y_rep" } }
two:step(200)
local loo = two:arm("b"):loo "log_lik"
assert(two:predictive():find(tostring(cs.compare { y = loo, again = loo }), 1, true), two:predictive())

-- Draws with NaN are left out, and reported.
local short = open({ data = y, replicated = "y_rep" }, target(6))
short:step(400)
local left = short:arm("a"):predictive "y"
assert(left.left_out > 0 and left.draws + left.left_out == found.draws)
assert(left.sd.p == left.sd.p and short:predictive():find "not finite")

-- Before the first draw, and for weighted draws.
assert(not pcall(function() open({ data = y, replicated = "y_rep" }):arm("a"):predictive() end))
local weighted = cs.open { target = target(), predictive = { data = y, replicated = "y_rep" }, chains = 2, seed = 4,
  arms = { a = cs.kernel.samc { kernel = cs.kernel.random_walk { step = 1 }, first = 5, width = 2, bins = 10 } } }
weighted:step(2000)
local w = weighted:arm(1):predictive()
assert(w.mean.p > 0 and w.mean.p < 1 and w.draws > 100)

-- One observation has no standard deviation.
local one = open({ data = { 3 }, replicated = "y_rep" }, cs.target {
  params = { rate = cs.positive() },
  log_density = function(p) return cs.lpdf.exponential(p.rate, 0.1) + cs.lpdf.poisson(3, p.rate) end,
  generated = function(p, rng) return { y_rep = rng:poisson(p.rate, 60) } end,
})
one:step(200)
local single = one:arm("b"):predictive()
assert(single.mean.data == 3 and single.sd == nil and one:predictive():find "inside their 50 %%")

-- Mistakes are named.
for _, wrong in ipairs {
  { { data = {}, replicated = "y_rep" }, "data is empty" }, { { data = { 1, 0 / 0 }, replicated = "y_rep" }, "number 2 is" },
  { { data = { 1, "2" }, replicated = "y_rep" }, "number 2 is a string" }, { { data = { 1, 2 }, replicated = "y_rep" }, "has 2 numbers, but y_rep has 5" },
  { { data = y, replicated = "y_rap" }, "replicated: there is no generated quantity 'y_rap': did you mean 'y_rep'" },
  { { data = y, replicated = "unlike" }, "replicated: there is no generated quantity 'unlike': generated = function(p, rng) return { y_rep" },
  { { data = y, replicated = "y_rep", log_lik = "unlike" }, "log_lik: there is no generated quantity 'unlike': generated = function(p) return { log_lik" },
  { { data = y }, "replicated" },
  { { replicated = "y_rep" }, "data = y" }, { { data = y, replicated = "y_rep", statistic = "mode" }, "no statistic 'mode'" },
  { { data = y, replicated = "y_rep", statistic = { 3 } }, "is a number" },
  { { data = y, replicated = "y_rep", statistic = { "sd", "sd" } }, "given twice" },
  { { data = y, replicated = "y_rep", show = "calibration" }, "no view 'calibration'" },
  { { data = y, replicated = "y_rep", show = "pie" }, "no view 'pie'" },
  { { data = y, replicated = "y_rep", log_lik = "other" }, "one number per observation" },
  { { data = y, replicated = "y_rep", constants = { 1 } }, "constants" },
  { { data = y, replicated = "y_rep", statistics = "sd" }, "statistic" }, { {}, "empty" },
  { { { data = y, replicated = "y_rep" }, { data = y, replicated = "y_rep" } }, "two predictive checks" },
} do
  local good, why = pcall(open, wrong[1])
  assert(not good and tostring(why):find(wrong[2], 1, true), wrong[2] .. ": " .. tostring(why))
end
for text, statistic in next, { ["a statistic returned a string"] = function() return "x" end,
                               ["statistic of the replicated data is NaN"] = function() return 0 / 0 end } do
  local bad = open { data = y, replicated = "y_rep", statistic = statistic }
  bad:step(100)
  assert(bad:predictive():find(text), bad:predictive())
  assert(not pcall(bad.arm(bad, "a").predictive, bad:arm "a", "z"))
end
