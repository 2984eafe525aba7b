-- Tests claims about weighted draws. Estimates are weighted means, and the
-- jackknife error agrees with the spread over seeds. R-hat is not computed, and
-- the reason is given.
local cs = require "chainscope"

local function open(seed, power, steps)
  return cs.open {
    target = cs.target.gaussian { dim = 2 }, chains = 8, seed = seed,
    arms = { a = cs.kernel.sgld { rate = 0.3,
      weight = power and cs.schedule.polynomial { scale = 3, offset = 1, power = power } or 3 } },
    budget = { steps = steps },
  }
end
local function near(got, want, within, what)
  assert(math.abs(got - want) <= within, ("%s: %.6g is not %.6g"):format(what, got, want))
end

local claims = {
  { arm = "a", stat = "mean", of = 1, near = 0, within = 1 },
  { arm = "a", stat = "sd", of = 2, near = 1, within = 1 },
  { arm = "a", stat = "log_density", near = -1, within = 1 },
  { arm = "a", stat = "mean_error", at_most = 1 },
}

-- A claim about a mean measures the weighted mean of each chain's draws, averaged over the
-- chains. Samples of the chains are treated in the same way.
local run = open(1, 0.7, 500)
run:step(500)
local sum, density = 0, 0
for i = 1, 8 do
  local top, log_density, all = 0, 0, 0
  for _, row in ipairs(run:arm("a"):chain(i):draws()) do
    local w = math.exp(row.log_weight)
    top, log_density, all = top + w * row[1], log_density + w * row.log_density, all + w
  end
  sum, density = sum + top / all / 8, density + log_density / all / 8
end
local judged = run:judge(claims)
near(judged[1].value, sum, 1e-9, "the mean")
near(judged[3].value, density, 1e-9, "the mean of the log density")
near(run:arm("a"):report("diagnostics/table")[2][1], sum, 1e-9, "the mean of the draws")

-- Over 80 runs with different seeds, the spread of the figures agrees with the
-- reported errors.
local sets, value, square = 80, {}, {}
for seed = 1, sets do
  local one = open(100 + seed, 0.7, 300)
  one:step(300)
  for k, j in ipairs(one:judge(claims)) do
    value[k] = value[k] or {}
    value[k][seed] = j.value
    square[k] = (square[k] or 0) + j.error ^ 2 / sets
    assert(j.error > 0 and j.freedom == 7, claims[k].stat)
  end
end
for k = 1, 3 do -- 80 sets give a standard deviation with an error of 8 %
  local mean, spread = 0, 0
  for _, x in ipairs(value[k]) do mean = mean + x / sets end
  for _, x in ipairs(value[k]) do spread = spread + (x - mean) ^ 2 / (sets - 1) end
  near(math.sqrt(square[k] / spread), 1, 0.25, "the error of " .. claims[k].stat)
end

-- The effective sample size of the weights.
local top, squares = 0, 0
for _, row in ipairs(run:arm("a"):chain(1):draws()) do
  local w = math.exp(row.log_weight)
  top, squares = top + w, squares + w * w
end
near(run:arm("a"):figure "weight_share", top * top / squares / 500, 1e-9, "the share of the weights")

-- Figures that rank draws are refused with a message, unless all weights are
-- equal.
for _, name in ipairs { "rhat", "ess_bulk", "ess_tail" } do
  local x, why = run:arm("a"):figure(name)
  assert(x == nil and why:find("the draws have weights: R-hat", 1, true), why)
  x, why = run:arm("a"):figure(name, 1)
  assert(x == nil and why:find("the draws have weights: R-hat", 1, true), why)
end
assert(run:arm("a"):figure "ess" > 100 and run:arm("a"):figure "mcse" < 0.2)
local refused = run:judge { { arm = "a", stat = "rhat", at_most = 1.1 } }[1]
assert(refused.answer == nil and refused.reason:find("the draws have weights", 1, true))
assert(run:summary():find("the draws have weights", 1, true))
local alike = open(1, nil, 500)
alike:step(500)
assert(alike:arm("a"):figure "weight_share" == 1)
assert(alike:arm("a"):figure "rhat" < 1.1 and alike:arm("a"):chain(1):draws()[1].log_weight == math.log(3))
