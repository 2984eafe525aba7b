-- Compares the results of logistic_regression for held-out rows with values
-- computed from the draws. Also tests invalid input.
local cs = require "chainscope"

local function near(got, want) assert(math.abs(got - want) <= 1e-12, ("%.17g <> %.17g"):format(got, want)) end

local word = 7
local function uniform()
  word = (word * 16807) % 2147483647
  return word / 2147483647
end
local function table_of(n)
  local list = {}
  for i = 1, n do
    local a, b = 4 * uniform() - 1, 10 * uniform()
    list[i] = { a, b, uniform() < 1 / (1 + math.exp(0.5 - a + 0.1 * b)) and 1 or 0 }
  end
  return list
end
local learn, test = table_of(60), table_of(37)

-- Standardises columns as the target does, with the moments of the training
-- rows.
local function scaled(rows)
  local out = {}
  for i, row in ipairs(rows) do out[i] = { table.unpack(row) } end
  for j = 1, 2 do
    local mean, square = 0, 0
    for _, row in ipairs(learn) do mean = mean + row[j] / #learn end
    for _, row in ipairs(learn) do square = square + (row[j] - mean) ^ 2 / #learn end
    for _, row in ipairs(out) do row[j] = (row[j] - mean) / math.sqrt(square) end
  end
  return out
end

local function predicted(draws, rows, intercept)
  local right, score = 0, 0
  for _, row in ipairs(rows) do
    local chance, first = 0, intercept and 1 or 0
    for _, b in ipairs(draws) do
      local e = b[first + 1] * row[1] + b[first + 2] * row[2] + (intercept and b[1] or 0)
      chance = chance + 1 / (1 + math.exp(-e)) / #draws
    end
    local one = row[3] == 1
    right = right + ((chance > 0.5) == one and 1 or 0)
    score = score + math.log(one and chance or 1 - chance)
  end
  return right / #rows, score / #rows
end

local function check(intercept, standard)
  local run = cs.open {
    target = cs.target.logistic_regression { table = learn, held_out = test, intercept = intercept,
      standardise = standard, radius = 5 },
    arms = { walk = cs.kernel.random_walk { step = 0.3 } }, chains = 2, seed = 3, keep = 100,
  }
  assert(run:arm(1):chain(1):held_out() == nil)
  run:step(50)
  local rows, mean = standard and scaled(test) or test, 0
  for c = 1, 2 do
    local chain = run:arm(1):chain(c)
    local accuracy, score = predicted(chain:draws(), rows, intercept)
    near(chain:held_out().accuracy, accuracy)
    near(chain:held_out().log_score, score)
    assert(chain:held_out().rmse == nil)
    mean = mean + accuracy / 2
    accuracy, score = predicted({ chain:draws()[20] }, rows, intercept)
    near(chain:held_out(20, 20).accuracy, accuracy)
    near(chain:held_out(20, 20).log_score, score)
  end
  near(run:arm(1):figure "average_accuracy", mean)
end
for _, intercept in ipairs { true, false } do
  for _, standard in ipairs { true, false } do check(intercept, standard) end
end

-- Computes the accuracy of the running mean of the draws at each step that the
-- probe `means` reports.
local function found_by(draws, n, rows)
  local a, b, right = 0, 0, 0
  for i = 1, n do a, b = a + draws[i][1] / n, b + draws[i][2] / n end
  for _, row in ipairs(rows) do
    right = right + ((a * row[1] + b * row[2] > 0) == (row[3] == 1) and 1 or 0)
  end
  return right / #rows
end

local function of_means(probes)
  local run = cs.open {
    target = cs.target.logistic_regression { table = learn, held_out = test, intercept = false,
      standardise = false, radius = 5 },
    arms = { walk = cs.kernel.random_walk { step = 0.3 } }, chains = 3, seed = 5, keep = 1000,
    start = { -2, 2 }, probes = probes,
  }
  run:step(150)
  return run:arm(1)
end
local arm = of_means { "means" }
local times, shares, different = arm:report "means/time", arm:report "means/accuracy", {}
assert(#times == #shares and #times > 30)
for i, time in ipairs(times) do
  local mean = 0
  for c = 1, 3 do mean = mean + found_by(arm:chain(c):draws(), time, test) / 3 end
  near(shares[i], mean)
  different[mean] = true
end
local n = 0
for _ in pairs(different) do n = n + 1 end
assert(n > 5, "the curve ends at another value")
near(arm:figure "mean_accuracy", shares[#shares])
near(arm:figure("mean_accuracy_at", times[9] .. " steps"), shares[9])
assert(arm:figure("mean_accuracy_at", "1000 steps") == nil)
local ok, why = pcall(arm.figure, arm, "mean_accuracy_at", "10 steps from walk")
assert(not ok and why:find("takes no reference arm", 1, true), why)
assert(of_means { means = { coordinates = 1 } }:report "means/accuracy" == nil)

-- ---- invalid input ----
local function refused(fields, want)
  local ok, why = pcall(cs.target.logistic_regression, fields)
  assert(not ok and why:find(want, 1, true), want .. " <> " .. tostring(why))
end
refused({ table = learn, held_out = { { 1, 0 } } }, "held_out has 2 columns, but the table has 3")
refused({ table = learn, held_out = { { 1, 1, 2 } } }, "response of row 1 is 2")
refused({ table = learn, held_out = { { 1, 0 / 0, 1 } } }, "nan in row 1")
refused({ table = learn, held_out = {} }, "held_out")
local run = cs.open { target = cs.target.logistic_regression { table = learn },
  arms = { walk = cs.kernel.random_walk { step = 0.3 } } }
run:step(5)
assert(run:arm(1):chain(1):held_out() == nil or run:arm(1):chain(1):held_out().accuracy == nil)
assert(run:arm(1):figure "average_accuracy" == nil)
