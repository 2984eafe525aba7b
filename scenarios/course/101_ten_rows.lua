-- Gradients from two rows of ten are unbiased, but the draws are not.
--
-- The target is the posterior of a mean given ten numbers. SGLD (stochastic gradient Langevin
-- dynamics) draws two new rows in each step, and its gradient is right on average. It has no
-- accept step. The exact standard deviation is 0.315.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local y = { 1.5, 0.4, -0.2, 1.3, 0.9, -0.6, 2.1, 0.7, 1.1, 0.3 }

return cs.scenario {
  title  = "A fifth of the data",
  shows  = "Gradients from two rows of ten, and the draws that they give",
  tags   = "course week-10 minutes-6",
  exercise = "exercises/101_ten_rows.lua",

  target = cs.target {
    space = cs.real(1), data = { y = y },
    prior = function(x) return -x[1]^2 / 20 end,
    term  = function(x, row) return -(row.y - x[1])^2 / 2 end,
  },
  chains = 16, seed = 10,
  arms   = {
    walk  = cs.kernel.random_walk { step = 0.7 },
    batch = cs.kernel.sgld { rate = 0.02, batch = 2 },
    all   = cs.kernel.sgld { rate = 0.02, batch = 10, order = "without_replacement" },
    slow  = cs.kernel.sgld { rate = 0.0005, batch = 2 },
  },
  budget = { steps = 20000 },
  warmup = 200,
  screen = { "lesson", { "marginal", quantity = "x.1", arm = "batch" }, { "trace", quantity = "x.1" }, "summary" },

  course = {
    { say = "The target is the posterior of a mean, given ten numbers. Its exact standard deviation is 0.315, and `walk` finds it. `batch` draws two of the ten rows in each step, and accepts every proposal." },
    { ask = "The gradient of `batch` is right on average. What is the standard deviation of its draws in the end?",
      choose = { { "smaller than 0.315", at_most = 0.3, say = "The rows drawn by chance add noise to each step." },
                 { "right", at_least = 0.306, at_most = 0.326, say = "The random choice of rows adds noise to each step, besides the noise that the method needs: the draws spread too far." },
                 { "larger", at_least = 0.333 } },
      truth = { figure = "sd", arm = "batch", of = 1, at = "end" } },
    { run = 5000, speed = 3000, say = "Watch the histogram." },
    { reveal = "{truth}: the random choice of rows adds noise, as a higher temperature would." },
    { ask = "`all` uses all ten rows, with the same rate. Is its standard deviation right?",
      choose = { { "still too large", at_least = 0.323 },
                 { "right", at_most = 0.32, say = "Two errors add up: the noise of the rows, and the finite step. All rows remove only the first one." } },
      truth = { figure = "sd", arm = "all", of = 1, at = "end" } },
    { run = 15000, say = "To the end of the run.", arm = "all" },
    { reveal = "{truth}: less than for `batch`, but the finite step still widens the distribution, and there is no accept step to correct it." },
    { ask = "`slow` has a fortieth of the rate. What is the ratio of its effective draws to those of `batch`?",
      choose = { { "about 1", at_least = 0.5, say = "The steps are shorter by a factor of the square root of 40, so a walk over the same distance takes about 40 times the steps." },
                 { "about 1/40", at_most = 0.1 } },
      truth = { figure = "ess", arm = "slow", of = 1, ratio_to = "batch" } },
    { reveal = "{truth}. A small rate is nearly right, but slow: the standard deviation of `slow` is {sd slow 1}.", arm = "slow" },
    { say = "An unbiased gradient does not give unbiased draws: few rows and finite steps both widen the distribution, unless the rate is small. Choose both: `chainscope exercise 101`." },
  },

  claims = {
    { arm = "walk", stat = "sd", of = 1, exact = 1 / math.sqrt(10.1), within = 0.005 },
    { arm = "batch", stat = "sd", of = 1, at_least = 0.33, note = "the exact value is 0.315" },
    { arm = "all", stat = "sd", of = 1, at_least = 0.32 },
  },
}
