-- One coordinate is 10,000 times as wide as another: what does one step size do?
--
-- Four normal coordinates with standard deviations 0.01, 1, 1 and 100. Both arms are the
-- sampler nuts. The warm-up of `unit` learns only the step size, that of `diagonal` also a
-- scale for each coordinate.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local sds = { 0.01, 1, 1, 100 }
local covariance = {}
for i = 1, #sds do
  for j = 1, #sds do covariance[#covariance + 1] = i == j and sds[i] ^ 2 or 0 end
end

-- nuts with 300 steps of warm-up; a trajectory has at most 127 leapfrog steps.
local function nuts(name, metric)
  return { name = name, kernel = cs.kernel.nuts { max_depth = 7 },
           tuner = cs.tuner.window_adaptation { metric = metric, steps = 300 } }
end

return cs.scenario {
  title  = "Metres and millimetres",
  shows  = "Coordinates of very different widths, with and without a metric",
  source = "Hoffman and Gelman 2014; Carpenter et al. 2017",
  tags   = "course week-7 minutes-7",
  exercise = "exercises/72_metric.lua",

  target = cs.target.gaussian { dim = #sds, covariance = covariance },
  chains = 16, seed = 7,
  arms   = { nuts("unit", "unit"), nuts("diagonal", "diagonal") },
  budget = { steps = 500 },
  screen = { "lesson", { "trace", quantity = "x.4", arm = "unit" }, "tuner", "summary" },
  course = {
    { say = "Four normal coordinates. x.1 has a standard deviation of 0.01, x.2 and x.3 of 1, and x.4 of 100: metres and millimetres. `unit` and `diagonal` are both nuts, with 300 steps of warm-up." },
    { say = "`unit` learns one step size in its warm-up. `diagonal` also learns a scale for each coordinate (a metric), and then steps in these units." },
    { ask = "The standard deviation of x.4 is 100. What does `unit` find?",
      choose = { { "about 100", at_least = 85, at_most = 115, say = "Its step is as small as x.1 needs, and even 127 such steps are short for x.4." },
                 { "less than 70", at_most = 70 }, { "more than 130", at_least = 130, say = "A coordinate that hardly moves looks too narrow, not too wide." } },
      truth = { figure = "sd", arm = "unit", of = 4, at = "end" }, cover = { "ess", "rhat" } },
    { run = 300, speed = 100, say = "The warm-up: the panel `tuner` shows the step sizes." },
    { reveal = "{truth}. The narrowest coordinate sets the step, and the widest one is 10,000 times as wide." },
    { ask = "And the standard deviation of x.1, the narrow coordinate, by `unit`?",
      choose = { { "below 0.008", at_most = 0.008, say = "The step fits x.1: its part of the draws is good." },
                 { "about 0.01", at_least = 0.0088, at_most = 0.0112 },
                 { "above 0.012", at_least = 0.012, say = "The step fits x.1: its part of the draws is good." } },
      truth = { figure = "sd", arm = "unit", of = 1, at = "end" }, cover = { "ess", "rhat" } },
    { run = 200, say = "To the end of the run.", arm = "diagonal" },
    { reveal = "{truth}: right. x.1 has {ess unit 1} effective draws and x.4 has {ess unit 4}." },
    { ask = "How many gradients per step does `unit` need, divided by those of `diagonal`?",
      choose = { { "less than 1", at_most = 0.9, say = "To know a scale costs nothing: it shortens the trajectories." },
                 { "about 1", at_least = 0.95, at_most = 1.5, say = "In its own units, `diagonal` turns back after a few steps; `unit` continues to its limit." },
                 { "more than 2", at_least = 2 } },
      truth = { figure = "gradients", arm = "unit", ratio_to = "diagonal" } },
    { reveal = "{truth}, and `diagonal` has {ess diagonal 4} effective draws of x.4. The warm-up is more than a burn-in: it learns the scales." },
    { say = "The narrowest coordinate sets the step, the widest the number of steps; a metric makes them alike. Rescale columns by hand: `chainscope exercise 72`." },
  },

  claims = {
    { arm = "unit", stat = "sd", of = 4, at_most = 70, note = "the exact value is 100" },
    { arm = "unit", stat = "sd", of = 1, near = 0.01, within = 0.0008 },
    { arm = "unit", stat = "rhat", of = 4, at_least = 1.2 },
    { arm = "diagonal", stat = "sd", of = 4, near = 100, within = 9.5 },
    { arm = "diagonal", stat = "gradients", at_most = 100 },
  },
}
