-- Exercise: how the work of a random walk grows with the dimension
local cs = require "chainscope"

return cs.scenario {
  title = "Exercise: the exponent of the dimension",
  shows = "the work of a well tuned random walk grows in proportion to the dimension",
  source = "Roberts, Gelman and Gilks 1997",
  tags = "course week-3 exercise",
  target = cs.target.gaussian { dim = 64 },
  chains = 16, seed = 1, budget = { steps = 8000 }, warmup = 0,
  arms = { walk = cs.kernel.random_walk { step = 2.38 / 8 } },
  exercise = {
    text = "The work of a kernel is its number of evaluations per effective draw of x.1. The work of a random walk with a good " ..
      "step grows like a power of the dimension. Measure the work in 4 and in 64 dimensions, and give the exponent.",
    skeleton = [[
-- The work of a random walk in 4 and in 64 dimensions: complete the function step.
-- Mark it: chainscope exercise 32 --mark mine.lua
local cs = require "chainscope"

-- Returns a good step of a random walk on the standard normal distribution.
local function step(dim)
  return 1
end

-- Returns the number of evaluations per effective draw of x.1.
local function work(dim)
  local run = cs.open {
    target = cs.target.gaussian { dim = dim }, chains = 16, seed = 1, budget = { steps = 8000 }, warmup = 0,
    arms = { walk = cs.kernel.random_walk { step = step(dim) } },
  }
  run:step(8000)
  return 1000 / run:arm("walk"):figure("ess_per_work", 1)
end

return { exponent = math.log(work(64) / work(4)) / math.log(64 / 4) }
]],
    hints = { "The length of a step with the size s per coordinate is about s sqrt(dim).",
              "Keep the acceptance rate: the step is 2.38 / sqrt(dim)." },
    judge = {
      answers = { exponent = { "number", "the power of the dimension to which the work is proportional" } },
      -- The exponent measured with the solution has the mean 0.93 and the standard deviation 0.045 (12 seeds).
      tests = { { "exponent", function(a) return math.abs(a.exponent - 1) <= 0.2 end } },
      slips = {
        { "of_the_acceptance", "the acceptance rate hardly depends on the dimension, but the distance of a move does", function(a) return math.abs(a.exponent) < 0.15 end },
        { "of_the_step", "1/2 is the exponent of the step: a walk needs the square of 1 / step moves to cross the distribution",
          function(a) return math.abs(math.abs(a.exponent) - 0.5) < 0.15 end },
        { "too_steep", "the step must become shorter with the dimension, but only like 1 / sqrt(dim)", function(a) return a.exponent > 1.2 end },
      },
    },
  },
}
