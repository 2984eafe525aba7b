-- Random numbers in generated quantities: their distributions, and that they are a function of
-- seed, chain and step.
local cs = require "chainscope"

local function target(generated)
  return cs.target {
    params = { mu = cs.real(), tau = cs.positive() },
    log_density = function(p) return -p.mu ^ 2 / 2 - p.tau end,
    generated = generated,
  }
end
local function everything(p, rng)
  return {
    { u = rng:uniform(), }, { between = rng:uniform(p.mu, p.mu + 2) }, { y = rng:normal(p.mu, 2) },
    { v = rng:normal(cs.math.vector { 1, 2, 3 }, 1) }, { e = rng:exponential(2) }, { l = rng:logistic(1, 0.5) },
    { g = rng:gumbel(0, 1) }, { a = rng:laplace(0, 1) }, { w = rng:weibull(2, 1) }, { n = rng:lognormal(0, 0.5) },
    { q = rng:pareto(1, 9) }, { b = rng:bernoulli(0.3) }, { k = rng:poisson(3, 40) }, { m = rng:binomial(0.25, 8) },
    { f = rng:neg_binomial(2, 1.5, 80) },
    { c = rng:categorical(cs.math.vector { 1, 2, 5 }) }, { h = rng:cauchy(0, 1) },
  }
end
local function open(t, workers, seed, chains)
  return cs.open {
    target = t, chains = chains or 8, seed = seed or 5, workers = workers, warmup = 0, keep = 2000,
    arms = { a = cs.kernel.random_walk { step = 1 } },
  }
end
local t = target(everything)
local run = open(t)
run:step(2000)

local function rows(r)
  local all = {}
  for c = 1, 8 do all[c] = r:arm("a"):chain(c):draws() end
  return all
end
local one = rows(run)
local place = {}
for i, name in ipairs(run.coordinates) do place[name] = i end
local function moments(name)
  local n, sum, square = 0, 0, 0
  for c = 1, 8 do
    for _, row in ipairs(one[c]) do n, sum, square = n + 1, sum + row[place[name]], square + row[place[name]] ^ 2 end
  end
  return sum / n, math.sqrt(square / n - (sum / n) ^ 2), n
end
-- Means and standard deviations; numbers that do not depend on the parameters are independent.
local euler = 0.5772156649
for name, want in next, {
  u = { 0.5, math.sqrt(1 / 12) }, ["v.1"] = { 1, 1 }, ["v.3"] = { 3, 1 }, e = { 0.5, 0.5 },
  l = { 1, 0.5 * math.pi / math.sqrt(3) }, g = { euler, math.pi / math.sqrt(6) }, a = { 0, math.sqrt(2) },
  w = { math.sqrt(math.pi) / 2, math.sqrt(1 - math.pi / 4) }, n = { math.exp(0.125), math.exp(0.125) * math.sqrt(math.exp(0.25) - 1) },
  q = { 9 / 8, math.sqrt(9 / 448) }, b = { 0.3, math.sqrt(0.21) }, k = { 3, math.sqrt(3) }, m = { 2, math.sqrt(1.5) },
  f = { 2, math.sqrt(2 + 4 / 1.5) },
  c = { 2.5, math.sqrt((1 + 8 + 45) / 8 - 6.25) },
} do
  local mean, sd, n = moments(name)
  assert(math.abs(mean - want[1]) < 4.5 * want[2] / math.sqrt(n), ("%s: mean %g is not %g"):format(name, mean, want[1]))
  assert(math.abs(sd / want[2] - 1) < 0.06, ("%s: sd %g is not %g"):format(name, sd, want[2]))
end
local zeros, draws = 0, 0
for c = 1, 8 do
  for _, row in ipairs(one[c]) do
    assert(row[place.between] > row[place.mu] and row[place.between] < row[place.mu] + 2, "between")
    assert(row[place.k] == math.floor(row[place.k]) and row[place.k] >= 0, "a count")
    zeros, draws = zeros + (row[place.f] == 0 and 1 or 0), draws + 1
  end
end
-- The probability of 0 is (phi / (mu + phi)) ^ phi.
assert(math.abs(zeros / draws - (1.5 / 3.5) ^ 1.5) < 0.016, "neg_binomial: the share of zeros is " .. zeros / draws)
-- Given mu, y - mu is normal with sd 2, and different for each chain and step.
local sum, square, n, seen = 0, 0, 0, {}
for c = 1, 8 do
  for _, row in ipairs(one[c]) do
    local z = (row[place.y] - row[place.mu]) / 2
    sum, square, n = sum + z, square + z ^ 2, n + 1
    assert(not seen[row[place.u]], "a number occurs twice")
    seen[row[place.u]] = true
  end
end
assert(math.abs(sum / n) < 4 / math.sqrt(n) and math.abs(square / n - 1) < 0.06, "y given mu")

-- The same draws with other numbers of workers, in several parts, after a rewind; others with
-- another seed.
local function alike(a, b)
  for c = 1, 8 do
    if #a[c] ~= #b[c] then return false end
    for i, row in ipairs(a[c]) do
      for k = 1, #row do if row[k] ~= b[c][i][k] then return false end end
    end
  end
  return true
end
local two = open(target(everything), 2)
for _ = 1, 20 do two:step(100) end
assert(alike(one, rows(two)), "another number of workers, in parts")
run:rewind_to(700)
run:step(1300)
assert(alike(one, rows(run)), "after a rewind")
local single = open(target(everything), 1, 5, 1)
single:step(2000)
for i, row in ipairs(single:arm("a"):chain(1):draws()) do
  for k = 1, #row do assert(row[k] == one[1][i][k], "a single chain") end
end
local other = open(target(everything), 1, 6)
other:step(2000)
assert(not alike(one, rows(other)), "another seed")

-- Counts whose first probability underflows, and parameters at the limits of their range. A count
-- above the largest one of the call is NaN.
local large = open(target(function(p, rng)
  return {
    { half = rng:binomial(0.5, 2000) }, { many = rng:poisson(800, 1200) }, { all = rng:binomial(1, 7) },
    { none = rng:binomial(0, 7) }, { zero = rng:poisson(0, 5) }, { above = rng:poisson(150) },
    { some = rng:poisson(3, 3) }, { wrong = rng:binomial(1.5, 3) }, { less = rng:poisson(-1, 3) },
    { pair = rng:binomial(cs.math.vector { 1, 0.2 }, 10) },
  }
end))
large:step(500)
one, place = rows(large), {}
for i, name in ipairs(large.coordinates) do place[name] = i end
for name, want in next, {
  half = { 1000, math.sqrt(500) }, many = { 800, math.sqrt(800) }, ["pair.2"] = { 2, math.sqrt(1.6) },
} do
  local mean, sd, n = moments(name)
  assert(math.abs(mean - want[1]) < 4.5 * want[2] / math.sqrt(n), ("%s: mean %g is not %g"):format(name, mean, want[1]))
  assert(math.abs(sd / want[2] - 1) < 0.06, ("%s: sd %g is not %g"):format(name, sd, want[2]))
end
local nans
nans, draws = 0, 0
for c = 1, 8 do
  for _, row in ipairs(one[c]) do
    assert(row[place.all] == 7 and row[place["pair.1"]] == 10, "a binomial with p = 1")
    assert(row[place.none] == 0 and row[place.zero] == 0, "a probability or a rate of 0")
    for _, name in ipairs { "above", "wrong", "less" } do
      assert(row[place[name]] ~= row[place[name]], name .. " is not NaN")
    end
    local y = row[place.some]
    assert(y ~= y or y <= 3, "a count above the largest one")
    nans, draws = nans + (y ~= y and 1 or 0), draws + 1
  end
end
assert(math.abs(nans / draws - 0.3528) < 0.04, "the share of counts above 3 is " .. nans / draws)

-- Wrong calls are errors.
for _, wrong in ipairs {
  function(p, rng) return { y = rng:normal(p.mu) } end, function(p, rng) return { y = rng.normal(p.mu, 1) } end,
  function(p, rng) return { y = rng:poisson(p.tau, p.mu) } end, function(p, rng) return { y = rng:neg_binomial(p.tau) } end, function(p, rng) return { y = rng:categorical(p.mu) } end,
  function(p, rng) return { y = rng:normal(cs.math.vector { 1, 2 }, cs.math.vector { 1, 2, 3 }) } end,
} do
  local good, why = pcall(target, wrong)
  assert(not good and tostring(why):find "rng", tostring(why))
end

-- Labels of a mixture are drawn with their probabilities given the parameters, and a list of
-- data with parameters in place of missing values has the density of the whole list.
do
  local M, ys = cs.math, { -2.1, 0.2, 1.9 }
  local function joint(p, y) return M.log(p.share) + cs.lpdf.each.normal(y, p.mu, 1) end
  local drawn = cs.open { seed = 4, chains = 4, keep = 4096, warmup = 0, target = cs.target {
      params = { { share = cs.simplex(2) }, { mu = cs.ordered(2) } },
      log_density = function(p)
        local u = cs.lpdf.dirichlet(p.share, 2) + cs.lpdf.normal(p.mu, 0, 3)
        for _, y in ipairs(ys) do u = u + M.log_sum_exp(joint(p, y)) end
        return u
      end,
      generated = function(p, rng)
        local label, first = {}, {}
        for i, y in ipairs(ys) do
          local share = M.softmax(joint(p, y))
          label[i], first[i] = rng:categorical(share), share[1]
        end
        return { { label = label }, { first = first } }
      end }, arms = { a = cs.kernel.random_walk { step = 1 } } }
  drawn:step(3000)
  for i = 1, 3 do
    local n, sum, want = 0, 0, 0
    for c = 1, 4 do
      for _, row in ipairs(drawn:arm(1):chain(c):draws()) do
        n, sum, want = n + 1, sum + (row[4 + i] == 1 and 1 or 0), want + row[7 + i]
      end
    end
    assert(n >= 8000 and math.abs(sum - want) < 5 * math.sqrt(n * 0.25), ("label %d: %g, not %g"):format(i, sum / n, want / n))
  end
  local gaps = cs.target { params = { { gone = cs.real(2) }, { mu = cs.real() } },
    log_density = function(p) return cs.lpdf.normal({ 1, p.gone[1], 3, p.gone[2] }, p.mu, 2) end }
  local full = cs.lpdf.normal({ 1, 0.5, 3, -1 }, 0.25, 2)
  assert(math.abs(gaps:log_density { 0.5, -1, 0.25 } - full) < 1e-12)
  assert(math.abs(gaps:gradient { 0.5, -1, 0.25 }[2] - 1.25 / 4) < 1e-12)
end
local unknown, said = pcall(cs.target, { params = { x = cs.real() }, log_density = function(p) return cs.lpdf.normal(p.x, 0, 1) end,
                                         generated = function(_, rng) return { y = rng:norml(0, 1) } end })
assert(not unknown and tostring(said):find("rng has no 'norml': did you mean 'normal'?", 1, true), tostring(said))
