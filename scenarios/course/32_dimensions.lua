-- A step that is good in one dimension, used in 16 and in 64.
--
-- The target is the standard normal with 1, 16 and 64 coordinates. `one` is a random walk with the
-- step 1, `scaled` has a step divided by the root of the dimension. `hmc` follows the gradient, and
-- all coordinates move together.
--
-- Enter and backspace go through the lesson; a digit answers a question.
-- Its exercise: chainscope exercise 32
local cs = require "chainscope"

local function arms(dim)
  return {
    { name = "one", kernel = cs.kernel.random_walk { step = 1 } },
    { name = "scaled", kernel = cs.kernel.random_walk { step = 2.38 / math.sqrt(dim) } },
    { name = "hmc", kernel = cs.kernel.hmc { step = 0.5, leapfrogs = 4 } },
  }
end
local function stage(dim, claims)
  return { target = cs.target.gaussian { dim = dim }, arms = arms(dim), claims = claims }
end

return cs.scenario {
  title  = "Sixty-four directions",
  shows  = "Each coordinate adds to the loss of a step: a random walk pays for each dimension",
  source = "Roberts, Gelman and Gilks 1997; Neal 2011",
  tags   = "course week-3 minutes-7",

  target = cs.target.gaussian { dim = 1 },
  chains = 12, seed = 3,
  arms   = arms(1),
  budget = { steps = 1600 },
  warmup = 0,
  screen = { "lesson", { "trace", quantity = "x.1", arm = "one" }, "acceptance", "summary" },
  stages = {
    sixteen = stage(16, {
      { arm = "one", stat = "acceptance", at_most = 0.1 },
    }),
    sixty_four = stage(64, {
      { arm = "one", stat = "acceptance", at_most = 0.01 },
      { arm = "scaled", stat = "acceptance", near = 0.24, within = 0.02 },
      { arm = "scaled", stat = "ess", of = 1, at_most = 350 },
      { arm = "hmc", stat = "ess_per_work", ratio_to = "scaled", at_least = 10 },
    }),
  },

  exercise = "exercises/32_dimensions.lua",

  course = {
    { say = "A normal distribution with one coordinate. `one` is a random walk with steps of 1, `scaled` one with steps of 2.38, and `hmc` follows the gradient." },
    { run = 1600, speed = 400 },
    -- in one dimension the acceptance of a step s is 2 / pi atan(2 / s)
    { stage = "sixteen", say = ("The run starts over with 16 coordinates. In one coordinate, `one` accepts %.0f %% of its proposals. It now makes steps of 1 in all coordinates at once."):format(200 / math.pi * math.atan(2)) },
    { ask = "Which share of its proposals does `one` accept here?",
      choose = { { "about 0.7", at_least = 0.6, say = "Each coordinate adds its share to the change of log p: with many of them the sum is a large loss." },
                 { "about 0.3", at_least = 0.2, at_most = 0.4, say = "Each coordinate adds its share to the change of log p: with many of them the sum is a large loss." },
                 { "below 0.1", at_most = 0.1 } },
      truth = { figure = "acceptance", arm = "one", at = "end" }, cover = { "moved", "ess", "rhat" } },
    { run = 1600, speed = 400 },
    { reveal = "{truth}. A step of 1 in each coordinate has a length near 4, the root of 16. `scaled` divides its step by this root, and accepts {acceptance scaled}." },
    { stage = "sixty_four", say = "The run starts over with 64 coordinates. `scaled` has steps of 2.38 / 8 in each.", arm = "scaled" },
    { ask = "In one coordinate, `scaled` has more than 3,500 effective draws of x.1 among its 19,200. How many are there here?",
      choose = { { "more than 3,500, too", at_least = 2500, say = "`scaled` accepts about a quarter here, but each coordinate now moves by less than a third of its width." },
                 { "an eighth, about 540", at_least = 450, at_most = 800, say = "The steps are shorter by 8, the root of 64. A walk needs 64 times more of them to go as far." },
                 { "below 350", at_most = 350 } },
      truth = { figure = "ess", arm = "scaled", of = 1, at = "end" }, cover = { "rhat", "mcse" } },
    { run = 1600, speed = 400 },
    { reveal = "{truth}, with {acceptance scaled} accepted; `one` accepts {acceptance one}. The work of a walk grows in proportion to the dimension." },
    { ask = "`hmc` follows the gradient. Effective draws per evaluation: `scaled` divided by `hmc`?",
      choose = { { "below a fifth", at_most = 0.2 },
                 { "about a half", at_least = 0.35, at_most = 0.65, say = "A step of `hmc` costs four gradients, but it crosses the whole width in all coordinates at once." },
                 { "more than 0.8", at_least = 0.8, say = "A step of `hmc` costs four gradients, but it crosses the whole width in all coordinates at once." } },
      truth = { figure = "ess_per_work", arm = "scaled", ratio_to = "hmc" } },
    { reveal = "{truth}. A random walk pays for each dimension. A gradient makes the price smaller. Your turn: `chainscope exercise 32`.", arm = "hmc" },
  },

  claims = {
    { arm = "one", stat = "acceptance", near = 2 / math.pi * math.atan(2), within = 0.015 },
    { arm = "scaled", stat = "ess", of = 1, at_least = 3500 },
  },
}
