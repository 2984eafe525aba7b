-- How many digits of a mean may be printed, and what another digit costs.
--
-- Three random walks on the standard normal in one dimension, with steps too small, right and
-- too large. Their standard errors of the mean differ by a factor of 3.5, although each has
-- made the same number of steps. `tenth` walks as `middle` does, and keeps one draw of ten.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

return cs.scenario {
  title  = "How many digits?",
  shows  = "The standard error of a mean, and the steps that it needs",
  tags   = "course week-5 minutes-7",
  exercise = "exercises/52_how_long.lua",

  target = cs.target.gaussian { dim = 1 },
  chains = 16, seed = 1,
  arms   = {
    small = cs.kernel.random_walk { step = 0.3 },
    middle = cs.kernel.random_walk { step = 2.4 },
    large = cs.kernel.random_walk { step = 30 },
    tenth = cs.kernel.cycle { cs.kernel.random_walk { on = { 1 }, step = 2.4, times = 10 } },
  },
  budget = { steps = 16000 },
  warmup = 0,
  screen = { "lesson", { "running", quantity = "x.1", arm = "middle" }, { "autocorrelation", quantity = "x.1", arm = "middle" }, "summary" },

  course = {
    { say = "Three walkers on a normal distribution, with steps of 0.3, 2.4 and 30. How long must they walk?" },
    { run = 1000, say = "A thousand steps of sixteen chains." },
    { say = "The mean of x.1 by `middle` is {mean middle 1}. The true mean is 0. How many of these digits may be printed?" },
    { ask = "How large is the standard error of this mean (mcse) after 1,000 steps?",
      choose = { { "about 0.1", at_least = 0.06, say = "That would be the error of about a hundred independent draws." },
                 { "about 0.02", at_least = 0.008, at_most = 0.05 },
                 { "about 0.0001", at_most = 0.003, say = "Even 16,000 independent draws would not give that." } },
      truth = { figure = "mcse", arm = "middle", of = 1, at = 1000 } },
    { reveal = "{truth}. The effective number of draws, {ess middle 1} of 16,000, is the number of independent draws with the same error: mcse is the standard deviation divided by the square root of this number." },
    { ask = "How large is the standard error after 16,000 steps?", within = 0.001,
      truth = { figure = "mcse", arm = "middle", of = 1, at = "end" },
      wrong = "It falls with the square root of the number of steps: a quarter of the error for sixteen times the work." },
    { run = 15000, speed = 4000, say = "To 16,000 steps." },
    { reveal = "{truth}: a quarter of the error, for sixteen times the work." },
    { ask = "`small` and `large` have made the same number of steps. Which arm has the smallest standard error?",
      choose = { "small", "middle", "large" }, truth = { smallest = "mcse", of = 1, at = "end" },
      wrong = "If a walker moves little, or seldom, its draws are correlated, and there are fewer effective draws." },
    { reveal = "{truth}. The number of steps does not determine the error; the number of effective draws does." },
    { ask = "`tenth` makes ten moves like those of `middle` for each draw: it keeps one place of ten, and its draws are nearly independent. How many effective draws does it have per evaluation, divided by those of `middle`?",
      choose = { { "more than 1.5", at_least = 1.3, say = "Nine of ten places were computed and thrown away. They also say something about the mean." },
                 { "about 1", at_least = 0.85, at_most = 1.15, say = "Nine of ten places were computed and thrown away. They also say something about the mean." },
                 { "less than 0.8", at_most = 0.8 } },
      truth = { figure = "ess_per_work", arm = "tenth", ratio_to = "middle", at = "end" }, cover = { "ess", "mcse" } },
    { reveal = "{truth}: thinning saves memory, not work. Four times the work, twice the accuracy. Buy a digit: `chainscope exercise 52`.", arm = "tenth" },
  },

  claims = {
    { arm = "middle", stat = "mcse", of = 1, at_most = 0.01 },
    { arm = "middle", stat = "ess", of = 1, at_least = 20000 },
    { arm = "small", stat = "ess", of = 1, at_most = 10000 },
  },
}
