-- Three walkers accept nearly all moves, about a third, and almost none.
--
-- A tiny step is nearly always accepted, but it does not go far. A huge step goes far, but it
-- is almost never accepted. A good step is a compromise, with the most effective draws.
--
-- Enter and backspace go through the lesson; a digit answers a question.
-- Its exercise: chainscope exercise 31
local cs = require "chainscope"

return cs.scenario {
  title  = "Far and often enough",
  shows  = "Steps of three lengths, and the draws that they are worth",
  source = "Roberts, Gelman and Gilks 1997",
  tags   = "course week-3 minutes-7",

  target = cs.target.gaussian { dim = 5 },
  chains = 8, seed = 2,
  arms   = {
    small = cs.kernel.random_walk { step = 0.05 },
    middle = cs.kernel.random_walk { step = 1.06 },
    large = cs.kernel.random_walk { step = 10 },
    tuned = { kernel = cs.kernel.random_walk { step = 10 },
              tuner = cs.tuner.acceptance { acceptance = 0.234 } },
  },
  budget = { steps = 20000 },
  warmup = 0,
  screen = { "lesson", { "trace", quantity = "x.1", arm = "small" }, "acceptance", "summary" },

  exercise = "exercises/31_goldilocks.lua",

  course = {
    { say = "Three walkers on the same normal distribution, in five dimensions. They differ only in the length of their steps: `small` 0.05, `middle` 1.06, `large` 10." },
    { ask = "Which of the three has the most effective draws after 20,000 steps?",
      choose = { "small", "middle", "large" }, truth = { largest = "ess", at = "end" }, cover = { "acceptance", "rhat" },
      wrong = "A walker that accepts nearly everything makes tiny moves, and one that rejects nearly everything hardly moves." },
    { run = 3000, speed = 600, say = "Watch the trace of `small`: it creeps. Select the others with the arrow keys." },
    { reveal = "Effective draws: {truth}." },
    { say = "`small` accepts {acceptance small} of its proposals, but they are near. The proposals of `large` are far away, and it accepts {acceptance large} of them. `middle` accepts {acceptance middle}, and moves far enough.",
      point = { word = "far and often enough", arm = "middle" } },
    { ask = "The step of `small` becomes 1. What becomes of its acceptance rate in the following steps?",
      choose = { { "it stays", at_least = 0.8, say = "The acceptance rate depends on the length of the steps." },
                 { "about a third", at_least = 0.15, at_most = 0.5 },
                 { "nearly 0", at_most = 0.15, say = "A step of 1, one standard deviation per coordinate, is not too long: `middle` has about the same." } },
      truth = { figure = "acceptance", arm = "middle", at = "end" } },
    { set = "small.step=1", say = "The step of `small` is now 1.", arm = "small" },
    { run = 5000, say = "Its trace now looks like that of `middle`.", point = { word = "now with step 1", arm = "small" } },
    { reveal = "{truth} is the rate of `middle`; `small` now has nearly the same step, and nearly the same rate." },
    { ask = "`tuned` has changed its own step in its first 500 steps, until a fixed share of moves was accepted. Which share?",
      within = 0.06, truth = { figure = "acceptance", arm = "tuned" },
      wrong = "It aims at 0.234, the best rate in many dimensions; in one dimension it is 0.44." },
    { reveal = "{truth}. In many dimensions the best rate is near 0.234; in one dimension it is near 0.44.", arm = "tuned" },
    { say = "Steps must go far enough and be accepted often enough. Your turn: `chainscope exercise 31`." },
  },

  claims = {
    { arm = "small", stat = "acceptance", near = 0.957, within = 0.006 },
    { arm = "middle", stat = "acceptance", near = 0.2895, within = 0.007 },
    { arm = "large", stat = "acceptance", at_most = 0.001 },
    { arm = "middle", stat = "ess", at_least = 1500 },
    { arm = "small", stat = "ess", at_most = 200 },
  },
}
