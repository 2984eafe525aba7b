-- Three walkers accept nearly all moves, about a third, and almost none.
--
-- A tiny step is nearly always accepted, but it goes nowhere. A huge step would go far, but it
-- is nearly never accepted. What counts is the product: how far the walker really gets.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

return cs.scenario {
  title  = "Far and often enough",
  shows  = "The product of distance and acceptance counts",
  source = "Roberts, Gelman and Gilks 1997",
  tags   = "course week-3 minutes-7",

  target = cs.target.gaussian { dim = 5 },
  chains = 8, seed = 2,
  arms   = {
    small = cs.kernel.random_walk { step = 0.05 },
    right = cs.kernel.random_walk { step = 1.06 },
    large = cs.kernel.random_walk { step = 10 },
    tuned = { kernel = cs.kernel.random_walk { step = 10 },
              tuner = cs.tuner.acceptance { acceptance = 0.234 } },
  },
  budget = { steps = 20000 },
  warmup = 0,
  screen = { "lesson", { "trace", quantity = "x.1", arm = "small" }, "acceptance", "summary" },

  course = {
    { say = "Three walkers on the same hill, in five dimensions. They differ only in the length of their steps: `small` 0.05, `right` 1.06, `large` 10." },
    { ask = "Which of the three knows most about the hill after 20,000 steps: has the most effective draws?",
      choose = { "small", "right", "large" }, truth = { largest = "ess", at = "end" }, cover = { "acceptance", "rhat" },
      wrong = "A walker that says yes to everything, or no to everything, has hardly moved." },
    { run = 3000, speed = 600, say = "Watch the trace of `small`: it creeps. Select the others with the arrow keys." },
    { reveal = "{truth} effective draws." },
    { say = "`small`: always yes, never far ({acceptance small} accepted). `large`: far, never yes ({acceptance large}). `right`: {acceptance right}, and both.",
      point = { word = "far and often enough", arm = "right" } },
    { ask = "We set the step of `small` to 1. What becomes of its acceptance rate?",
      choose = { { "it stays", at_least = 0.8, say = "The rate belongs to the step, not to the walker." },
                 { "about a third", at_least = 0.15, at_most = 0.5 },
                 { "nearly 0", at_most = 0.15, say = "A step of 1 is one standard deviation: a third of such moves are accepted." } },
      truth = { figure = "acceptance", arm = "right", at = "end" } },
    { set = "small.step=1", say = "The step of `small` is now 1.", arm = "small" },
    { run = 5000, say = "Its trace now looks like that of `right`.", point = { word = "now with step 1", arm = "small" } },
    { reveal = "{truth}, as for `right`: the rate belongs to the step." },
    { ask = "`tuned` has changed its own step in its first 500 steps, until a fixed share of moves was accepted. Which share?",
      within = 0.06, truth = { figure = "acceptance", arm = "tuned" },
      wrong = "It aims at 0.234, the best rate in many dimensions; in one dimension it is 0.44." },
    { reveal = "{truth}. In many dimensions the best rate is near 0.234; in one dimension it is near 0.44.", arm = "tuned" },
    { say = "Far and often enough: the product counts." },
  },

  claims = {
    { arm = "small", stat = "acceptance", near = 0.957, within = 0.01 },
    { arm = "right", stat = "acceptance", near = 0.288, within = 0.01 },
    { arm = "large", stat = "acceptance", at_most = 0.001 },
    { arm = "right", stat = "ess", at_least = 1500 },
    { arm = "small", stat = "ess", at_most = 200 },
  },
}
