-- Exercise: starts that show that chains agree and are wrong
local cs = require "chainscope"
local M = cs.math

-- Twenty numbers from two groups of equal size, whose means x.1 and x.2 are to be found.
local y = { -2.9, -1.6, -2.2, -3.3, -1.1, -2.5, -1.9, -3.0, -2.4, -2.1, 1.4, 2.2, 2.6, 3.5, 1.9, 2.8, 2.3, 1.2, 3.1, 2.0 }

local target = cs.target { name = "two groups", space = cs.real(2), log_density = function(x)
  local sum = -(x[1]^2 + x[2]^2) / 200
  for i = 1, #y do
    sum = sum + M.log_sum_exp(-(y[i] - x[1])^2 / 2, -(y[i] - x[2])^2 / 2)
  end
  return sum
end }

-- A random walk that also exchanges the two means in half of its steps.
local function exchange(x, draw)
  local a, b = x[1] + 0.4 * draw:normal(), x[2] + 0.4 * draw:normal()
  if draw:uniform() < 0.5 then return { b, a } end
  return { a, b }
end

local function arms()
  return {
    walk = cs.kernel.random_walk { step = 0.4 }, hmc = cs.kernel.hmc { step = 0.3, leapfrogs = 4 },
    nuts = cs.kernel.nuts { step = 0.3 }, exchange = cs.kernel { propose = exchange },
  }
end
local names = { "walk", "hmc", "nuts", "exchange" }
local start = { { -2, 2 }, { -3, 3 }, { -2, 3 }, { -3, 2 } }

-- An arm has seen the target if its mean of x.1 is right: the density stays the same when the two
-- means are exchanged, so their expectations are equal, and near 0 because the numbers are.
local truth
local function has_seen(name)
  if not truth then
    local run = cs.open { target = target, chains = 4, seed = 51, start = start, budget = { steps = 2000 }, warmup = 0, arms = arms() }
    run:step(2000)
    truth = {}
    for _, n in ipairs(names) do truth[n] = math.abs(run:arm(n):figure("mean", 1)) < 1 end
  end
  return truth[name]
end

local function trusted(answers, name) return answers["trust_" .. name] end

-- Returns true if all starts are on the same side of x.1 = x.2, so on one hill.
local function on_one_hill(answers)
  local below = 0
  for _, x in ipairs(answers.start) do below = below + (x[1] < x[2] and 1 or 0) end
  return below == 0 or below == 4
end

return cs.scenario {
  title = "Exercise: chains that agree",
  shows = "R-hat warns only if the chains can disagree: starts must come from all that is possible",
  tags = "course week-5 exercise",
  target = target, chains = 4, seed = 1, start = start, budget = { steps = 2000 }, warmup = 0,
  arms = arms(),
  exercise = {
    text = "Twenty numbers come from two groups of equal size, and x.1 and x.2 are the means of the groups. Run the four " ..
      "arms: chainscope run scenarios/course/exercises/51_agree_and_wrong.lua. Say for each arm whether you trust its means. " ..
      "Then give four starts (x.1, x.2) and a number of steps, so that R-hat of `walk`, `hmc` and `nuts` is above 1.4.",
    skeleton = [[
-- Trust in four arms, and starts that show who is wrong.
-- Mark it: chainscope exercise 51 --mark mine.lua
return {
  trust_walk = true, trust_hmc = true, trust_nuts = true, trust_exchange = true,
  start = { { -2, 2 }, { -3, 3 }, { -2, 3 }, { -3, 2 } },
  steps = 2000,
}
]],
    hints = { "Nothing says which group is the first. What does the density do if x.1 and x.2 are exchanged?",
              "Start some chains at the places where the exchanged groups are." },
    judge = {
      answers = {
        trust_walk = { "boolean", "true if you trust the arm" }, trust_hmc = { "boolean", "true if you trust the arm" },
        trust_nuts = { "boolean", "true if you trust the arm" }, trust_exchange = { "boolean", "true if you trust the arm" },
        start = { "table", "the starts of four chains", size = { 4, 2 } },
        steps = { "number", "the steps of each chain", whole = true, min = 200, max = 20000 },
      },
      tests = {
        { "whom to trust", function(answers)
          local right = 0
          for _, name in ipairs(names) do right = right + (trusted(answers, name) == has_seen(name) and 1 or 0) end
          return right == #names, right < #names and ("%d of 4 answers are right"):format(right) or nil
        end },
        { "starts that show it", function(answers)
          local wrong = arms()
          wrong.exchange = nil
          local run = cs.open { target = target, chains = 4, seed = 51, start = answers.start, budget = { steps = answers.steps }, warmup = 0, arms = wrong }
          run:step(answers.steps)
          local least, by = math.huge, nil
          for name in pairs(wrong) do
            local rhat = run:arm(name):figure("rhat", 1)
            if rhat < least then least, by = rhat, name end
          end
          return least > 1.4, ("the smallest R-hat of x.1 is %.2f, by %s"):format(least, by)
        end },
      },
      slips = {
        { "longer_run", "a longer run does not leave its hill: chains that started together still agree",
          function(answers) return on_one_hill(answers) and answers.steps > 2000 end },
        { "one_hill", "all of your starts are on one hill: exchange the two means in some of them",
          function(answers) return on_one_hill(answers) end },
        { "trusts_agreement", "R-hat and the effective draws show that the chains of an arm agree, not that they have seen every hill",
          function(answers) return answers.trust_walk or answers.trust_hmc or answers.trust_nuts end },
      },
    },
  },
}
