-- Exercise: a length of trajectories that is right for the mean and for the spread
local cs = require "chainscope"
local M = cs.math
local sds = { 0.5, 0.8, 1.1, 1.4 }

local function hmc(leapfrogs) return cs.kernel.hmc { step = 0.1564, leapfrogs = leapfrogs, jitter = 0 } end

return cs.scenario {
  title = "Exercise: between the period and half of it",
  shows = "trajectories of a quarter of a period renew the place and its square",
  tags = "course week-6 exercise",
  target = cs.target { name = "four widths", params = { { x = cs.real(4) } },
    log_density = function(p)
      local sum = 0
      for i = 1, 4 do sum = sum - 0.5 * (p.x[i] / sds[i])^2 end
      return sum
    end,
    generated = function(p) return { square = p.x[1]^2 } end },
  chains = 16, seed = 1, budget = { steps = 1000 }, warmup = 0,
  arms = { period = hmc(20) },
  exercise = {
    text = "HMC samples four independent normal coordinates with standard deviations 0.5, 0.8, 1.1 and 1.4. Its step size is " ..
      "0.1564, without jitter. Choose `leapfrogs`, so that 1,000 steps of 16 chains have at least 5,000 effective draws of " ..
      "x.1, and at least 5,000 of its square.",
    skeleton = [[
-- Mark it: chainscope exercise 62 --mark mine.lua
return { leapfrogs = 20 }
]],
    hints = { "x.1 oscillates with a period of 2 pi times its standard deviation, 20 leapfrogs.",
              "After half a period x.1 is the negative of its start: its square has not changed." },
    judge = {
      answers = { leapfrogs = { "number", "the number of leapfrogs per trajectory", whole = true, min = 1, max = 200 } },
      kernel = function(answers) return hmc(answers.leapfrogs) end,
      claims = { { stat = "ess", of = "x.1", at_least = 5000 }, { stat = "ess", of = "square", at_least = 5000 } },
      slips = {
        { "whole_periods", "your trajectories are whole periods of x.1: it returns to its start",
          function(answers) return answers.leapfrogs % 20 == 0 end },
        { "half_a_period", "your trajectories are half periods of x.1: it changes its sign, and its square stays",
          function(answers) return answers.leapfrogs % 20 == 10 end },
        { "too_short", "your trajectories are much shorter than a quarter of a period: x.1 hardly moves",
          function(answers) return answers.leapfrogs < 4 end },
      },
    },
  },
}
