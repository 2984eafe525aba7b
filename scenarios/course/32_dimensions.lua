-- A step that is good in one dimension, used in 32.
--
-- The target is the standard normal with 32 coordinates. `one` is a random walk with the step
-- 1, `scaled` has a step divided by the root of the dimension. `hmc` follows the gradient, and
-- all coordinates move together.
--
-- Enter and backspace go through the lesson; a digit answers a question.
-- Its exercise: chainscope exercise 32
local cs = require "chainscope"
local dim = 32

return cs.scenario {
  title  = "Thirty-two directions",
  shows  = "Each coordinate adds to the loss of a step: a random walk pays for each dimension",
  source = "Roberts, Gelman and Gilks 1997; Neal 2011",
  tags   = "course week-3 minutes-6",

  target = cs.target.gaussian { dim = dim },
  chains = 12, seed = 3,
  arms   = {
    { name = "one", kernel = cs.kernel.random_walk { step = 1 } },
    { name = "scaled", kernel = cs.kernel.random_walk { step = 2.38 / math.sqrt(dim) } },
    { name = "hmc", kernel = cs.kernel.hmc { step = 0.5, leapfrogs = 4 } },
  },
  budget = { steps = 800 },
  warmup = 0,
  screen = { "lesson", { "trace", quantity = "x.1", arm = "one" }, "acceptance", "summary" },

  exercise = "exercises/32_dimensions.lua",

  course = {
    -- In one dimension the acceptance of a step s is 2 / pi atan(2 / s).
    { say = ("A normal distribution with %d coordinates. In one dimension, a random walk with steps of 1 accepts %.0f %% of its proposals. `one` makes such steps in all coordinates at once."):format(dim, 200 / math.pi * math.atan(2)) },
    { ask = "Which share of its proposals does `one` accept here?",
      choose = { { "about 0.7", at_least = 0.6, say = "Each coordinate adds its share to the change of log p: with many of them the sum is a large loss." },
                 { "about 0.3", at_least = 0.2, at_most = 0.4, say = "Each coordinate adds its share to the change of log p: with many of them the sum is a large loss." },
                 { "below 0.06", at_most = 0.06 } },
      truth = { figure = "acceptance", arm = "one", at = "end" }, cover = { "moved", "ess", "rhat" } },
    { run = 200, speed = 50, say = "Two hundred steps of twelve chains." },
    { reveal = "{truth}. A step of 1 in each coordinate has a length near the root of 32." },
    { say = "`scaled` divides its step by the root of the dimension: 2.38 / sqrt(32) per coordinate.", arm = "scaled" },
    { ask = "`scaled` accepts about a quarter. How many effective draws of x.1 does it have of its 9,600?",
      choose = { { "about 2,400", at_least = 1500, say = "So it is in one dimension. But each coordinate now moves by less than half of its width, and only every fourth time." },
                 { "about 900", at_least = 600, at_most = 1300, say = "The steps are shorter by the root of 32. To walk as far takes 32 times more of them." },
                 { "below 400", at_most = 400 } },
      truth = { figure = "ess", arm = "scaled", of = 1, at = "end" }, cover = { "rhat", "mcse" } },
    { run = 600, speed = 200, say = "To the end of the run." },
    { reveal = "{truth}, with {acceptance scaled} accepted. The work of a walk grows in proportion to the dimension." },
    { ask = "`hmc` follows the gradient. Effective draws per evaluation: `scaled` divided by `hmc`?",
      choose = { { "below a fifth", at_most = 0.2 },
                 { "about a half", at_least = 0.35, at_most = 0.65, say = "A step of `hmc` costs four gradients, but it crosses the whole width in all coordinates at once." },
                 { "more than 0.8", at_least = 0.8, say = "A step of `hmc` costs four gradients, but it crosses the whole width in all coordinates at once." } },
      truth = { figure = "ess_per_work", arm = "scaled", ratio_to = "hmc" } },
    { reveal = "{truth}. `hmc` has {ess hmc 1} effective draws of x.1.", arm = "hmc" },
    { say = "A random walk pays for each dimension. A gradient makes the price smaller. Your turn: `chainscope exercise 32`." },
  },

  claims = {
    { arm = "one", stat = "acceptance", at_most = 0.06 },
    { arm = "scaled", stat = "acceptance", near = 0.245, within = 0.028 },
    { arm = "scaled", stat = "ess", of = 1, at_most = 400 },
    { arm = "hmc", stat = "ess_per_work", ratio_to = "scaled", at_least = 5 },
  },
}
