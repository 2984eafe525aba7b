-- Exercise: find the fault of a model by the ranks of simulated truths
local cs = require "chainscope"

-- Data are simulated with mu ~ N(0, 1) and four numbers y ~ N(mu, 1). The model under test has the
-- standard deviations of `tested`.
local n, tested = 4, { prior = 1, likelihood = 2 }

local function model(y)
  return cs.target { params = { mu = cs.real() }, log_density = function(p)
    return cs.lpdf.normal(p.mu, 0, tested.prior) + cs.math.sum(cs.lpdf.normal(cs.math.vector(y), p.mu, tested.likelihood))
  end }
end

-- ---- calibration by exact draws ------------------------------------------------------

-- Returns a function that returns standard normal numbers (Box and Muller), the same on any machine.
local function normals(state)
  local function uniform()
    state = state * 16807 % 2147483647
    return state / 2147483647
  end
  return function() return math.sqrt(-2 * math.log(uniform())) * math.cos(2 * math.pi * uniform()) end
end

local draws = 19

-- Returns the rank of a simulated mu among exact draws from the posterior of its data under m.
local function rank_of(m, normal)
  local mu, sum, rank = normal(), 0, 0
  for _ = 1, n do sum = sum + mu + normal() end
  local precision = 1 / m.prior^2 + n / m.likelihood^2
  local mean, sd = sum / m.likelihood^2 / precision, 1 / math.sqrt(precision)
  for _ = 1, draws do rank = rank + (mean + sd * normal() < mu and 1 or 0) end
  return rank
end

-- Returns by how many standard errors the mean square distance of ranks from their middle differs
-- from that of uniform ranks, the moments of which are exact for 20 values.
local second, fourth = 0, 0
for r = 0, draws do second, fourth = second + (r - draws / 2)^2 / (draws + 1), fourth + (r - draws / 2)^4 / (draws + 1) end
local function hump(m, sets, normal)
  local sum = 0
  for _ = 1, sets do sum = sum + (rank_of(m, normal) - draws / 2)^2 end
  return (sum / sets - second) / math.sqrt((fourth - second^2) / sets)
end

local function repaired(answers)
  local m = { prior = tested.prior, likelihood = tested.likelihood }
  if m[answers.fault] then m[answers.fault] = answers.value end
  return m
end

-- Returns the share of 100 calibrations that find the fault by three errors. With more than 400 data
-- sets nearly all do. Where nine of ten do, the share has an error of 0.03.
local function power(sets)
  local normal, found = normals(53), 0
  for _ = 1, 100 do found = found + (math.abs(hump(tested, math.min(sets, 400), normal)) > 3 and 1 or 0) end
  return found / 100
end

return cs.scenario {
  title = "Exercise: what do the ranks say?",
  shows = "calibration finds a wrong model with enough data sets, whichever sampler is used",
  tags = "course week-5 exercise",
  target = model { 1.5, 0.4, -0.2, 1.3 }, chains = 4, seed = 1, budget = { steps = 1000 },
  arms = { nuts = cs.kernel.nuts {}, walk = cs.kernel.random_walk { step = 1 } },
  sbc = {
    prior = function(draw) return { mu = draw:normal() } end,
    data = function(theta, draw)
      local y = {}
      for i = 1, n do y[i] = theta.mu + draw:normal() end
      return y
    end,
    target = model,
  },
  exercise = {
    text = "A model of four numbers y ~ N(mu, 1) with mu ~ N(0, 1) was programmed. Either the standard deviation of the prior is " ..
      "wrong, or that of the likelihood, or the sampler, or nothing. The ranks tell: " ..
      "chainscope sbc scenarios/course/exercises/53_ranks.lua. Name the fault, the value that mends it, and a number of data " ..
      "sets with which the spread of the ranks shows the fault, by three of its errors, in nine of ten calibrations.",
    skeleton = [[
-- The fault of a model, found by calibration.
-- fault: "prior", "likelihood", "sampler" or "none"
-- value: the right standard deviation, if it is one of the model
-- sets: data sets that are enough to see the fault
-- Mark it: chainscope exercise 53 --mark mine.lua
return { fault = "none", value = 1, sets = 20 }
]],
    hints = { "A hump of ranks means that the draws are too spread. Do both samplers show it?",
              "The simulated means have a standard deviation of 1, which is that of the prior in the model.",
              "The error of the spread falls with the square root of the number of data sets: it is printed for 200." },
    judge = {
      answers = {
        fault = { "string", "one of prior, likelihood, sampler, none" },
        value = { "number", "the right standard deviation", min = 0.01, max = 100 },
        sets = { "number", "the number of data sets", whole = true, min = 1, max = 100000 },
      },
      tests = {
        { "the model is mended", function(answers)
          local z = hump(repaired(answers), 2000, normals(5300))
          -- A narrower prior also makes the ranks uniform: its error and that of the likelihood cancel.
          return answers.fault == "likelihood" and math.abs(z) < 4, ("the spread of the ranks of 2000 data sets is %.1f errors from that of uniform ranks"):format(z)
        end },
        { "enough data sets", function(answers)
          local share = power(answers.sets)
          return share >= 0.9 - 3 * 0.03, ("%.0f %% of calibrations find the fault"):format(100 * share)
        end },
      },
      slips = {
        { "names_sampler", "the ranks of both samplers have the same hump: they agree on the wrong posterior",
          function(answers) return answers.fault == "sampler" end },
        { "names_prior", "the simulated means have the standard deviation of the prior; the model trusts the four numbers too little",
          function(answers) return answers.fault == "prior" end },
        { "no_power", "a few data sets show nothing: a calibration that passes is a bound, not a proof",
          function(answers) return answers.fault == "none" or answers.sets < 200 end },
      },
    },
  },
}
