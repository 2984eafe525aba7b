-- Chains that learn together.
--
-- Sixteen chains on two wells, at a gain of 0.01 that does not fall. In `own` each
-- learns the weights of the bins for itself; in `shared` all have one vector, to
-- which each step of each chain adds a sixteenth of what it would have to its own:
-- interacting contour SGLD. Weights that wander are an error of the means, too,
-- for a draw is weighed by what weights are by then.
--
-- See `bins`: the whiskers of `own` are its chains' disagreement. `shared` has none.
-- Over time its theta(1) wanders as well, but with a fifteenth of the variance; the
-- exact figure would be a sixteenth, were the chains independent.
--
-- The price is that chains must wait for each other at each step: nothing for
-- sixteen chains of one block, some microseconds where there are several blocks.
-- `tenth` meets every ten steps. Nothing is saved up between: it learns a tenth as
-- fast, just as with a tenth of the gain.
--
-- Chains of `own` cross a little more often. It is the push of a weight that has
-- just grown that does it: the more a single visit changes, the more it pushes.
local cs = require "chainscope"
local wells = require "by_hand.wells"

local function contour(share, gain)
  return cs.kernel.csgld { rate = 0.1, gradient_noise = 0.1, first = 2, gain = gain, share = share,
                           weighing = "energy" }
end
local arms = {
  { name = "own", kernel = contour(0, 0.01) },
  { name = "shared", kernel = contour(1, 0.01) },
  { name = "tenth", kernel = contour(10, 0.01) },
  { name = "slow", kernel = contour(1, 0.001) },
}

-- theta(1) of every chain, each 500 steps from step 50,000 on.
local seen
local function follow(run)
  seen = {}
  for _, a in ipairs(arms) do seen[a.name] = {} end
  run:every(500, function()
    for name, rows in next, run.steps >= 50000 and seen or {} do
      local arm, row = run:arm(name), {}
      for c = 1, #arm.chains do row[c] = arm:chain(c):info().own.theta[1] end
      rows[#rows + 1] = row
    end
  end)
end

-- Sums of twenty parts of that time, and the variance that a list of them makes.
local function parts(name)
  local rows, list = seen[name], {}
  for b = 1, 20 do
    local s = { sum = 0, square = 0, n = 0 }
    for k = (b - 1) * #rows // 20 + 1, b * #rows // 20 do
      for _, x in ipairs(rows[k]) do s.sum, s.square, s.n = s.sum + x, s.square + x * x, s.n + 1 end
    end
    list[b] = s
  end
  return list
end
local function variance_of(list, name)
  local sum, square, n = 0, 0, 0
  for _, two in ipairs(list) do
    local s = two[name]
    sum, square, n = sum + s.sum, square + s.square, n + s.n
  end
  return square / n - (sum / n) ^ 2
end
local function over(other)
  return function(arm)
    if not seen or #seen[arm.name] == 0 then return 0 / 0 end
    local a, b, list = parts(arm.name), parts(other), {}
    for i = 1, #a do list[i] = { a = a[i], b = b[i] } end
    return list, function(some) return variance_of(some, "a") / variance_of(some, "b") end
  end
end

return cs.scenario {
  title  = "Chains that learn together",
  shows  = "One vector of weights for sixteen chains has a sixteenth of the variance",
  source = "Deng, Liang, Hao and Lin 2022, algorithm 1; csgld, Eq. 10",

  target = cs.target.mixture {},
  chains = 16, seed = 11, start = { { -6 }, { 4 } },
  arms   = arms,
  budget = { steps = 200000 },
  warmup = 50000,
  setup  = follow,
  screen = { "lesson", "bins", { "trace", of = "x.1" }, "summary" },

  claims = {
    { arm = "own", stat = "variance of theta(1) over shared's", measure = over "shared", near = 16, within = 8 },
    { arm = "tenth", stat = "variance of theta(1) over slow's", measure = over "slow", near = 1, within = 0.8 },
    { arm = "own", stat = "mean", of = "x.1", near = 0, within = 0.2, holds = false, note = "exactly 0" },
    { arm = "slow", stat = "mean", of = "x.1", near = 0, within = 0.5, note = "exactly 0" },
    { arm = "own", stat = "jumps", over = "shared", at_least = 1.05 },
  },
}
