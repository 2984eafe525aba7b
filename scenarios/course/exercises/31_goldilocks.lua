-- Exercise: the step of a random walk in twenty dimensions
local cs = require "chainscope"

-- Returns the kernel of the hand-in without parameters other than the step.
local function walk_of(_, mine)
  if not mine or mine.name ~= "random_walk" then error("the scenario has no arm `mine` with the kernel random_walk: choose only its step", 0) end
  return cs.kernel.random_walk { step = mine.step }
end

local function step_of(hand_in)
  local arm = hand_in.arms.mine
  return (type(arm) == "table" and arm.kernel or arm).step
end

return cs.scenario {
  title = "Exercise: a step for twenty dimensions",
  shows = "the best step is shorter in many dimensions, and its acceptance rate lower",
  tags = "course week-3 exercise",
  target = cs.target.gaussian { dim = 20 },
  chains = 16, seed = 1, budget = { steps = 20000 }, warmup = 0,
  arms = { walk = cs.kernel.random_walk { step = 1 } },
  exercise = {
    text = "Choose the step of a random walk on the standard normal distribution with 20 coordinates. It must have at " ..
      "least 80 % of the effective draws of x.1 per evaluation that the best step has.",
    skeleton = [[
-- A random walk in 20 dimensions: choose its step.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 31 --mark mine.lua
local cs = require "chainscope"

return cs.scenario {
  title = "Exercise 31", chains = 16, budget = { steps = 20000 }, warmup = 0,
  target = cs.target.gaussian { dim = 20 },
  arms = { mine = cs.kernel.random_walk { step = 1 } },
}
]],
    hints = { "Compare steps with `chainscope sweep mine.lua --over mine.step=0.1,0.2,0.5,1,2`.",
              "In many dimensions the best walk accepts about a quarter of its proposals." },
    judge = {
      kernel = walk_of,
      arms = { best = cs.kernel.random_walk { step = 2.38 / math.sqrt(20) } },
      -- The error of the ratio is 0.05. With steps from 0.44 to 0.65 the ratio is above 0.95.
      claims = { { stat = "ess_per_work", of = 1, ratio_to = "best", at_least = 0.8 } },
      slips = {
        { "tiny", "more than 0.7 of the proposals are accepted, but they hardly move", function(a) return step_of(a) < 0.15 end },
        { "one_dimension", "over 0.4 of the proposals are accepted, but they are short: a rate near 0.44 is best in one dimension, not in 20",
          function(a) return step_of(a) < 0.38 end },
        { "huge", "hardly a proposal is accepted: each coordinate adds to the loss of log p", function(a) return step_of(a) > 0.7 end },
      },
    },
  },
}
