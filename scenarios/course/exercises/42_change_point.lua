-- Exercise: a draw of the year of a change, given the rates before and after it
local cs = require "chainscope"
local M = cs.math

local deaths = {
  4, 5, 4, 0, 1, 4, 3, 4, 0, 6, 3, 3, 4, 0, 2, 6, 3, 3, 5, 4, 5, 3, 1, 4, 4, 1, 5, 5,
  3, 4, 2, 5, 2, 2, 3, 4, 2, 1, 3, 2, 2, 1, 1, 1, 1, 3, 0, 0, 1, 0, 1, 1, 0, 0, 3, 1,
  0, 3, 2, 2, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 1, 0, 2, 3, 3, 1, 1,
  2, 1, 1, 1, 1, 2, 4, 2, 0, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1,
}
-- The numbers of accidents in the first k years.
local years, total, count = #deaths, 0, {}
for k = 1, years do
  total = total + deaths[k]
  if k < years then count[k] = total end
end
local counts = M.vector(count)

-- The rates given the year, and the year by the function `draw`.
local function sweep(draw)
  return cs.kernel.cycle { cs.kernel.nuts { on = { "early", "late" } }, cs.kernel.gibbs { on = "k", draw = draw } }
end

return cs.scenario {
  title = "Exercise: the year of a change",
  shows = "a whole number with few values is drawn from the table of its probabilities",
  source = "Jarrett 1979; Carlin, Gelfand and Smith 1992",
  tags = "course week-4 exercise",
  target = cs.target {
    name = "change_point",
    params = { { early = cs.positive() }, { late = cs.positive() }, { k = cs.integer(1, years - 1) } },
    log_density = function(p)
      local n = counts[p.k]
      return cs.lpdf.exponential(p.early, 1) + cs.lpdf.exponential(p.late, 1) +
             n * M.log(p.early) - p.k * p.early + (total - n) * M.log(p.late) - (years - p.k) * p.late
    end,
  },
  chains = 4, seed = 1, budget = { steps = 2000 },
  start = { early = 3, late = 1, k = 40 },
  arms = { walk = cs.kernel.random_walk { on = "k", radius = 1 } },
  exercise = {
    text = "Accidents in coal mines are Poisson numbers with the mean `early` in each of the first k years, and with the mean " ..
      "`late` in the others, up to year 111. All k from 1 to 110 are equally likely before the data are known. Write a draw of k given the two means.",
    skeleton = [[
-- The year of a change, given the rates before and after it: complete the function draw.
-- Mark it: chainscope exercise 42 --mark mine.lua
local deaths = {
  4, 5, 4, 0, 1, 4, 3, 4, 0, 6, 3, 3, 4, 0, 2, 6, 3, 3, 5, 4, 5, 3, 1, 4, 4, 1, 5, 5,
  3, 4, 2, 5, 2, 2, 3, 4, 2, 1, 3, 2, 2, 1, 1, 1, 1, 3, 0, 0, 1, 0, 1, 1, 0, 0, 3, 1,
  0, 3, 2, 2, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 1, 0, 2, 3, 3, 1, 1,
  2, 1, 1, 1, 1, 2, 4, 2, 0, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1,
}
local years, total, count = #deaths, 0, {} -- count[k]: the accidents in the first k years
for k = 1, years do
  total = total + deaths[k]
  count[k] = total
end

-- Returns a draw of k, from 1 to years - 1, given the rates p.early and p.late.
-- rng:uniform() is a uniform number between 0 and 1.
local function draw(p, rng)
  return 40
end

return { draw = draw }
]],
    hints = { "The logarithm of the weight of k is count[k] log(early) - k early + (total - count[k]) log(late) - (years - k) late.",
              "Draw u between 0 and the sum of the weights, and subtract weights from u until the rest is less than the next weight." },
    judge = {
      answers = { draw = { "function", "returns k for p and rng" } },
      kernel = function(a) return sweep(a.draw) end,
      laws = { "conditional" }, aim = 0.03, -- year_on_both_sides changes some probabilities by 0.02 only
      -- The exact mean is 40.003, and the error of the mean is 0.06.
      claims = { { stat = "mean", of = "k", near = 40.003, within = 0.3 } },
    },
  },
}
