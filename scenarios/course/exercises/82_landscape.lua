-- Exercise: a small hill on the way
local cs = require "chainscope"

local means, weights, share = { { -2, 0 }, { 2, 1 }, { 20, 15 } }, { 0.4, 0.4, 0.2 }, 0.05

-- Returns the three hills and the new one, which takes its share of the mass from all.
local function landscape(a)
  local w, at = { [4] = share }, { table.unpack(means) }
  for i = 1, 3 do w[i] = (1 - share) * weights[i] end
  at[4] = a.mean
  return cs.target.mixture { means = at, weights = w, sds = { 1, 1, 1, a.sd } }
end

-- Returns the distance from the new hill to the nearest of the others.
local function nearest(a)
  local least = math.huge
  for i = 1, 3 do
    least = math.min(least, ((a.mean[1] - means[i][1])^2 + (a.mean[2] - means[i][2])^2)^0.5)
  end
  return least
end

-- Returns the mean number of hills that a chain of the walk visits.
local function visited(a, seed)
  local run = cs.open { target = landscape(a), chains = 16, seed = seed, start = { means[1], means[2] }, warmup = 0,
                        arms = { short = cs.kernel.random_walk { step = 1 } }, budget = { steps = 60000 } }
  run:step(60000)
  return (run:arm "short":figure "modes_mean")
end

return cs.scenario {
  title = "Exercise: a small hill that lets a walk cross",
  shows = "short steps cross where there is density on the way",
  tags = "course week-8 exercise",
  target = cs.target.mixture { means = means, weights = weights, sd = 1 },
  chains = 16, seed = 3, start = { means[1], means[2] }, budget = { steps = 60000 },
  arms = { short = cs.kernel.random_walk { step = 1 } },
  exercise = {
    text = "A walk with step 1 starts on the hills at (-2, 0) and (2, 1), and never finds the third one, at (20, 15). " ..
      "Add one Gaussian hill with 5 % of the mass: give its mean and its standard deviation, so that nearly all of 16 " ..
      "chains visit all four hills within 60,000 steps.",
    skeleton = [[
-- One more hill: give its mean and its standard deviation. It has 5 % of the mass.
-- Mark it: chainscope exercise 82 --mark mine.lua
return { mean = { 0, 0 }, sd = 1 }
]],
    hints = { "The walk needs density all the way: how far are the hills apart, and how wide is yours?",
              "Put it half way; its edge should reach both sides." },
    judge = {
      answers = { mean = { "table", "the mean of the new hill", size = { 2 } }, sd = { "number", "its standard deviation", min = 0.01, max = 100 } },
      tests = { { "all hills are visited", function(a, scenario)
        local n = visited(a, scenario.seed)
        return n >= 3.5, n < 3.5 and ("a chain visits %.2g of the four hills on average"):format(n) or nil
      end } },
      slips = {
        { "too_far", "your hill is not between the others: the walk meets it no sooner than the third hill", function(a) return nearest(a) > 14 end },
        { "on_top", "your hill is on one of the others: the valley is as empty as before", function(a) return nearest(a) < 4 end },
        { "too_narrow", "your hill is too narrow: the walk finds one more place, and there are two valleys now", function(a) return a.sd < 3 end },
      },
    },
  },
}
