-- Exercise: the rate and the batch of SGLD
local cs = require "chainscope"

local y = { 1.5, 0.4, -0.2, 1.3, 0.9, -0.6, 2.1, 0.7, 1.1, 0.3 }
local rows, exact = 2000000, (10 + 0.1)^-0.5
local target = cs.target {
  space = cs.real(1), data = { y = y },
  prior = function(x) return -x[1]^2 / 20 end,
  term = function(x, row) return -(row.y - x[1])^2 / 2 end,
}
local function sgld(a) return cs.kernel.sgld { rate = a.rate, batch = a.batch, order = "without_replacement" } end

-- Returns the arm after all steps that the rows allow.
local run_of = setmetatable({}, { __mode = "k" })
local function arm_of(a, seed)
  if not run_of[a] then
    local steps = rows // (16 * a.batch)
    run_of[a] = cs.open { target = target, chains = 16, seed = seed, start = { 0.75 }, warmup = 0,
                          arms = { mine = sgld(a) }, budget = { steps = steps } }
    run_of[a]:step(steps)
  end
  return run_of[a]:arm "mine"
end

return cs.scenario {
  title = "Exercise: a rate and a batch for SGLD",
  shows = "large steps and few rows widen the distribution; small steps need many of them",
  tags = "course week-10 exercise",
  target = target, chains = 16, seed = 10, budget = { steps = 20000 }, warmup = 200, start = { 0.75 },
  arms = { given = sgld { rate = 0.02, batch = 2 } },
  exercise = {
    text = "Sixteen chains of SGLD may read 2,000,000 rows together: with `batch` rows per step, each makes " ..
      "2,000,000 / (16 batch) steps. Choose `rate` and `batch` (of ten rows), so that the standard deviation of the draws is within 0.015 of " ..
      "the exact one, 0.315, and the draws are worth at least 2,000 independent ones.",
    skeleton = [[
-- Rate and batch of SGLD, for 2,000,000 rows in all.
-- Mark it: chainscope exercise 101 --mark mine.lua
return { rate = 0.02, batch = 2 }
]],
    hints = { "All rows at rate r give the standard deviation 0.315 / sqrt(1 - 10.1 r / 2). What does this leave for the noise of the rows?",
              "With five of the ten rows in a step, the noise of the gradient has a ninth of the variance that it has with one row." },
    judge = {
      answers = { rate = { "number", "the rate", min = 1e-9, max = 0.15 }, batch = { "number", "rows per step", min = 1, max = 10, whole = true } },
      tests = {
        { "standard deviation", function(a, scenario)
          local sd = arm_of(a, scenario.seed):figure("sd", 1)
          return math.abs(sd - exact) <= 0.015, ("measured %.4f, exact %.4f"):format(sd, exact)
        end },
        { "effective draws", function(a, scenario)
          local n = arm_of(a, scenario.seed):figure("ess", 1)
          return n >= 2000, n < 2000 and ("%.0f effective draws"):format(n) or nil
        end },
      },
      slips = {
        { "large_rate", "all rows do not help if the rate is large: the finite step widens the distribution", function(a) return a.rate > 0.015 and a.batch > 5 end },
        { "small_rate", "with this rate the chains hardly move: the rows are used up first", function(a) return a.rate < 0.0003 end },
        { "few_rows", "few rows per step add noise to the gradient, which acts as heat: take more rows, or a smaller rate", function(a) return a.batch < 5 end },
      },
    },
  },
}
