-- Exercise: columns in units in which no metric is needed
local cs = require "chainscope"
local M = cs.math

-- Returns a nearly normal number: a sum of twelve uniform numbers minus six. The data are the same
-- on any machine.
local state = 7
local function noise()
  local sum = -6
  for _ = 1, 12 do
    state = state * 16807 % 2147483647
    sum = sum + state / 2147483647
  end
  return sum
end

local year, income, y = {}, {}, {}
for i = 1, 120 do
  year[i] = 1950 + i % 60
  income[i] = 42000 + 9000 * noise()
  y[i] = 12 + 0.35 * (year[i] - 1980) + 0.0004 * (income[i] - 42000) + 3 * noise()
end

local function regression(u, v)
  return cs.target { name = "columns", params = { { a = cs.real() }, { b = cs.real() }, { c = cs.real() }, { sigma = cs.positive() } },
    log_density = function(p)
      return cs.lpdf.normal(y, p.a + p.b * M.vector(u) + p.c * M.vector(v), p.sigma)
             + cs.lpdf.normal(p.a, 0, 10000) + cs.lpdf.half_normal(p.sigma, 10)
    end }
end

-- nuts without a metric; its warm-up of 300 steps learns the step size.
local function unit()
  return { kernel = cs.kernel.nuts { max_depth = 7 }, tuner = cs.tuner.window_adaptation { metric = "unit", steps = 300 } }
end
local start = { { a = 10, b = 0, c = 0, sigma = 5 } }

local function rescaled(answers, column)
  local new = answers.rescale(table.move(column, 1, #column, 1, {}))
  if type(new) ~= "table" or #new ~= #column then error("rescale must return a list as long as the column", 0) end
  local copy = {}
  for i = 1, #column do
    local x = new[i]
    if type(x) ~= "number" or not (math.abs(x) < math.huge) then error("rescale must return finite numbers", 0) end
    copy[i] = x
  end
  return copy
end

-- Returns the new years and incomes of a hand-in. Its function is called once for each column, so
-- that all parts of the test have the same columns.
local kept = setmetatable({}, { __mode = "k" })
local function columns_of(answers)
  kept[answers] = kept[answers] or { year = rescaled(answers, year), income = rescaled(answers, income) }
  return kept[answers]
end

local function moments(x)
  local mean, square = 0, 0
  for i = 1, #x do mean = mean + x[i] / #x end
  for i = 1, #x do square = square + (x[i] - mean)^2 / #x end
  return mean, math.sqrt(square)
end

local function correlation(x, z)
  local mx, sx = moments(x)
  local mz, sz = moments(z)
  local sum = 0
  for i = 1, #x do sum = sum + (x[i] - mx) * (z[i] - mz) / #x end
  return sum / (sx * sz)
end

-- Returns true if the new incomes have about this standard deviation, and the mean 0 or not.
local function incomes_have(answers, sd, centred)
  local new = columns_of(answers).income
  local mean, found = moments(new)
  return math.abs(found / sd - 1) < 0.02 and (math.abs(mean) < 0.1 * found) == centred
end
local _, income_sd = moments(income)

return cs.scenario {
  title = "Exercise: metres and millimetres by hand",
  shows = "columns that are centred and scaled need no metric",
  tags = "course week-7 exercise",
  target = regression(year, income), chains = 4, seed = 1, start = start, budget = { steps = 500 },
  arms = { unit = unit() },
  exercise = {
    text = "In a regression y = a + b year + c income + noise, the years are near 1980 and the incomes near 42,000, and a sampler " ..
      "without a metric needs over a hundred gradients a step. Write a function that rescales a column, so that nuts needs " ..
      "fewer than 20 gradients a step with the unit metric. The new column must be a linear function of the old one.",
    skeleton = [[
-- Rescale the columns of a regression: complete the function rescale.
-- Mark it: chainscope exercise 72 --mark mine.lua

-- Returns a new column of the same length. It is called for the years, then for the incomes.
local function rescale(column)
  return column
end

return { rescale = rescale }
]],
    hints = { "The intercept a is the value of y where both columns are 0. Where should that be?",
              "In which units do the slopes b and c have the same posterior standard deviation as a?" },
    judge = {
      answers = { rescale = { "function", "the function that returns a new column" } },
      tests = {
        { "gradients a step", function(answers)
          local new = columns_of(answers)
          for name, column in next, { year = year, income = income } do
            if not (math.abs(correlation(column, new[name])) > 1 - 1e-9) then return false, "the new column is not a linear function of the old one" end
          end
          local run = cs.open { target = regression(new.year, new.income), chains = 4, seed = 72,
                                start = start, budget = { steps = 500 }, arms = { unit = unit() } }
          run:step(500)
          local gradients = run:arm("unit"):figure("gradients")
          return gradients < 20, ("nuts needs %.0f gradients a step"):format(gradients)
        end },
      },
      slips = {
        { "centres_only", "your columns are centred but not scaled: the slope of an income is still a thousand times narrower than the intercept",
          function(answers) return incomes_have(answers, income_sd, true) end },
        { "scales_only", "your columns are scaled but not centred: the intercept is still far outside of the data, and depends on the slopes",
          function(answers) return incomes_have(answers, 1, false) end },
        { "divides_by_variance", "you divide by the variance: the standard deviation of a column has its units",
          function(answers) return incomes_have(answers, 1 / income_sd, true) end },
      },
    },
  },
}
