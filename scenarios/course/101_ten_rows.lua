-- Gradients from two rows of ten: unbiased in, not unbiased out.
--
-- The target is the posterior of a mean given ten numbers. SGLD (stochastic gradient Langevin
-- dynamics) draws two new rows in each step, and its gradient is right on average. It has no
-- accept step. The exact standard deviation is 0.316.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local y = { 1.5, 0.4, -0.2, 1.3, 0.9, -0.6, 2.1, 0.7, 1.1, 0.3 }

return cs.scenario {
  title  = "A fifth of the data",
  shows  = "Noise in a gradient is heat; noise in a ratio needs a proof",
  tags   = "course week-10 minutes-6",

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
    { say = "Ten numbers, one unknown mean. Its exact standard deviation is 0.316, and `walk` finds it. `batch` draws two of the ten rows in each step, and never refuses." },
    { ask = "The gradient of `batch` is right on average. The standard deviation of its draws in the end?",
      choose = { { "smaller than 0.316", at_most = 0.3, say = "The rows drawn by chance add noise to each step." },
                 { "right", at_least = 0.306, at_most = 0.326, say = "An unbiased gradient does not make unbiased draws: the noise of the rows is added to that of the method." },
                 { "larger", at_least = 0.333 } },
      truth = { figure = "sd", arm = "batch", of = 1, at = "end" } },
    { run = 5000, speed = 3000, say = "Watch the histogram." },
    { reveal = "{truth}: the noise of the rows is heat." },
    { ask = "`all` uses all ten rows, with the same rate. Is its standard deviation right?",
      choose = { { "right", at_most = 0.32, say = "Two errors add up: the noise of the rows, and the finite step. All rows remove only the first one." },
                 { "still too large", at_least = 0.323 } },
      truth = { figure = "sd", arm = "all", of = 1, at = "end" } },
    { run = 15000, say = "To the end of the run.", arm = "all" },
    { reveal = "{truth}: less, but without an accept step the finite step is still too much." },
    { ask = "`slow` has a fortieth of the rate. How many effective draws has it, compared with `batch`?",
      choose = { { "the same", at_least = 0.5, say = "The steps are shorter by the root of 40, and so the walk is 40 times slower." },
                 { "about a thirtieth", at_most = 0.1 } },
      truth = { figure = "ess", arm = "slow", of = 1, ratio_to = "batch" } },
    { reveal = "A ratio of {truth}: a small rate is right and slow. Its standard deviation is {sd slow 1}.", arm = "slow" },
    { say = "Noise in a gradient is heat; noise in a ratio needs a proof." },
  },

  claims = {
    { arm = "walk", stat = "sd", of = 1, exact = 0.3161, within = 0.02 },
    { arm = "batch", stat = "sd", of = 1, at_least = 0.33, note = "the exact value is 0.316" },
    { arm = "all", stat = "sd", of = 1, at_least = 0.32 },
  },
}
