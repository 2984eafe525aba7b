-- Exercise: how many steps does a standard error cost?
local cs = require "chainscope"

local wanted, runs, most = 0.02, 32, 60000
local function walk() return cs.kernel.random_walk { step = 0.3 } end

-- The relative error of a root mean square of n errors is 1 / sqrt(2 n): three of them.
local tolerance = 3 / math.sqrt(2 * runs)

-- Returns the root mean square error of the mean of x in 32 runs of four chains, where 0 is exact.
-- For more than 60,000 steps the error is scaled: it falls with the square root of the steps.
local measured = {}
local function error_of(scenario, steps)
  local made, sum = math.min(steps, most), 0
  for seed = 1, measured[made] and 0 or runs do
    local run = cs.open { target = scenario.target, chains = 4, seed = seed, arms = { small = walk() }, budget = { steps = made }, warmup = 0 }
    run:step(made)
    sum = sum + run:arm("small"):figure("mean", 1)^2
  end
  measured[made] = measured[made] or math.sqrt(sum / runs)
  return measured[made] * math.sqrt(made / steps)
end

return cs.scenario {
  title = "Exercise: the price of a digit",
  shows = "the effective number of draws, not their number, determines the error of a mean",
  tags = "course week-5 exercise",
  target = cs.target.gaussian { dim = 1 }, chains = 4, seed = 1, budget = { steps = 2000 }, warmup = 0,
  arms = { small = walk() },
  exercise = {
    text = "A random walk with step 0.3 samples the standard normal distribution in four chains. How many steps per chain " ..
      "give the mean of x with a standard error of 0.02? Give also the thinning: 1 uses all draws, 10 every tenth draw. Try " ..
      "the arm `small`: chainscope run scenarios/course/exercises/52_how_long.lua",
    skeleton = [[
-- steps: steps per chain; thin: 1 uses all draws, 10 every tenth draw.
-- Mark it: chainscope exercise 52 --mark mine.lua
return { steps = 1000, thin = 10 }
]],
    hints = { "The standard error is the standard deviation divided by the square root of the effective number of draws (ess).",
              "The effective number of draws grows in proportion to the steps: measure it for 2,000 steps." },
    judge = {
      answers = { steps = { "number", "the steps per chain", whole = true, min = 100, max = 2^40 },
                  thin = { "number", "1 uses all draws, 10 every tenth draw", whole = true, min = 1, max = 1000 } },
      tests = {
        { "the steps", function(answers, scenario)
          local e = error_of(scenario, answers.steps)
          return math.abs(e / wanted - 1) <= tolerance,
                 ("the means of %d runs differ from the exact mean by %.2g (root mean square)"):format(runs, e)
        end },
        { "all draws are used", function(answers) return answers.thin == 1 end },
      },
      slips = {
        { "thins", "the mean of every tenth draw has no smaller error than the mean of all draws: thinning saves only memory",
          function(answers) return answers.thin > 1 end },
        { "draws_for_ess", "you count all draws, but they are correlated: about fifty of them are worth one independent draw",
          function(answers) return answers.steps < 5000 end },
        { "a_digit_too_many", "this error is much smaller than the task demands: a tenth of the error costs a hundred times the steps",
          function(answers) return answers.steps > 10 * most end },
      },
    },
  },
}
