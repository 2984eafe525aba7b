-- Contour SGLD with weights of energy bins that all chains share.
--
-- Sixteen chains sample two wells, at a constant gain of 0.01. In `own` each chain learns
-- its own weights. In `shared` (interacting contour SGLD) all chains update one vector of
-- weights, and each contributes a sixteenth of its change. Fluctuations of the weights
-- cause an error of the means, because a draw is weighted by the current weights.
--
-- Watch `bins`: the whiskers of `own` show how its chains disagree; `shared` has no
-- whiskers. The variance over time of the weight theta(1) in `shared` is 1/15 of that in
-- `own` (1/16 if chains were independent). But chains must wait for each other at each
-- step. `tenth` exchanges weights only every ten steps. It learns a tenth as fast, like
-- `slow`, which has a tenth of the gain.
local cs = require "chainscope"
local wells = require "by_hand.wells"

local function contour(share, gain)
  return cs.kernel.csgld { rate = 0.1, gradient_noise = 0.1, first = 2, gain = gain, share = share,
                           weighing = "energy" }
end
-- Waiting costs nothing if one thread moves all sixteen chains as one block, and some
-- microseconds per step with several blocks. `tenth` ignores the visits of the steps
-- between two exchanges. The chains of `own` cross slightly more often, because a weight
-- that has just grown pushes its chain away. In `own`, a single visit changes a weight
-- more.
local arms = {
  { name = "own", kernel = contour(0, 0.01) },
  { name = "shared", kernel = contour(1, 0.01) },
  { name = "tenth", kernel = contour(10, 0.01) },
  { name = "slow", kernel = contour(1, 0.001) },
}

-- Records theta(1) of every chain at every 500th step, starting at step 50,000.
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

-- Divides the recorded steps into twenty parts, and returns sums over each part.
-- variance_of computes the variance from such sums.
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
  title  = "Chains with shared weights",
  shows  = "Weights shared by sixteen chains have a sixteenth of the variance",
  source = "Deng, Liang, Hao and Lin 2022, algorithm 1; csgld, Eq. 10",

  target = cs.target.mixture {},
  chains = 16, seed = 11, start = { { -6 }, { 4 } },
  arms   = arms,
  budget = { steps = 200000 },
  warmup = 50000,
  setup  = follow,
  screen = { "lesson", "bins", { "trace", quantity = "x.1" }, "summary" },

  claims = {
    { arm = "own", stat = "variance of theta(1) over shared's", measure = over "shared", near = 16, within = 8 },
    { arm = "tenth", stat = "variance of theta(1) over slow's", measure = over "slow", near = 1, within = 0.8 },
    { arm = "own", stat = "mean", of = "x.1", near = 0, within = 0.2, holds = false, note = "exact: 0" },
    { arm = "slow", stat = "mean", of = "x.1", near = 0, within = 0.5, note = "exact: 0" },
    { arm = "own", stat = "jumps", ratio_to = "shared", at_least = 1.05 },
  },
}
