-- Tests counts without a largest value in the model: cs.count().
local cs = require "chainscope"

local function opened(count, mean)
  local run = cs.open { chains = 4, seed = 3, budget = { steps = 20000 }, arms = { auto = cs.kernel.auto {} },
    target = cs.target { params = { { n = count }, { r = cs.positive() } },
      log_density = function(p) return cs.lpdf.poisson(p.n, mean) + cs.lpdf.gamma(p.r, p.n + 1, 2) end } }
  run:step(20000)
  return run, run:arm "auto"
end

-- Draws of a Poisson distribution. Few of them are above 20, none is at the limit of 1000.
local run, arm = opened(cs.count(), 7)
local mean, sd = arm:figure("mean", "n"), arm:figure("sd", "n")
assert(math.abs(mean - 7) < 0.2 and math.abs(sd - math.sqrt(7)) < 0.2, ("mean %g, sd %g"):format(mean, sd))
assert(math.abs(arm:figure("mean", "r") - 4) < 0.15, arm:figure("mean", "r"))
assert(not run:summary():find("largest value", 1, true), run:summary())

-- Draws that reach the limit are reported, with their number.
run = opened(cs.count(nil, 8), 7)
local text = run:summary()
assert(text:find("[%d,]+ of [%d,]+ draws of the count n are at its largest value: the results are those of a model with this limit"), text)
-- An integer has its range from the model: nothing is reported.
assert(not opened(cs.integer(0, 8), 7):summary():find("largest value", 1, true))

-- A vector of counts.
local three = cs.target { params = { { k = cs.count(3, 50) } }, log_density = function(p) return cs.lpdf.poisson(p.k, { 1, 2, 3 }) end }
assert(three.dim == 3 and three:log_density { 0, 0, 50 } < three:log_density { 1, 2, 3 })

for what, make in pairs {
  ["the largest value = 0 is out of range"] = function() return cs.count(1, 0) end,
  ["the largest value is a string"] = function() return cs.count(1, "10") end,
  ["cs.count takes the length of a vector and the largest value"] = function() return cs.count(1, 10, 3) end,
} do
  local good, why = pcall(make)
  assert(not good and tostring(why):find(what, 1, true), tostring(why))
end
