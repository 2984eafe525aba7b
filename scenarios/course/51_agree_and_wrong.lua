-- Chains that agree, and a target that the reader does not know.
--
-- The target has two hills, 12 standard deviations apart, with 70 and 30 % of the mass. All
-- chains start on the first hill. Compare the arms by R-hat, by effective draws, and by the
-- hills that they visit.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

return cs.scenario {
  title  = "Three witnesses",
  shows  = "Three arms whose chains agree, and a target that you do not know",
  tags   = "course week-5 minutes-7",
  exercise = "exercises/51_agree_and_wrong.lua",

  target = cs.target.mixture { means = { { 0 }, { 12 } }, weights = { 0.7, 0.3 }, sd = 1 },
  chains = 32, seed = 3,
  start  = { { -1 }, { 0 }, { 1 }, { 0.5 } },
  arms   = {
    short = cs.kernel.random_walk { step = 1 },
    hmc   = cs.kernel.hmc { step = 0.5, leapfrogs = 4 },
    long  = cs.kernel.random_walk { step = 5 },
  },
  budget = { steps = 4000 },
  warmup = 0,
  screen = { "lesson", { "trace", quantity = "x.1", arm = "short" }, "summary" },

  course = {
    { say = "Thirty-two chains per arm, all started near 0. You do not know the target: you see traces, and the figures of the summary." },
    { ask = "One of the three arms has seen more of the target than the others. Which one do you trust?", choose = { "short", "hmc", "long" },
      truth = { largest = "sd", of = 1, at = "end" }, cover = { "modes_visited", "mean", "mode_tv" },
      wrong = "Effective draws measure the agreement of the chains on the hill that they have seen. They say nothing about other hills." },
    { run = 2000, say = "Two thousand steps. Look at the summary of each arm." },
    { say = "R-hat of `short` is {rhat short}." },
    { run = 2000, say = "To the end of the run. Answer again if you have changed your mind." },
    { reveal = "The standard deviation of x.1: {truth}.", arm = "long", show = { "lesson", "visits", { "trace", quantity = "x.1", arm = "long" }, "summary" } },
    { say = "`short` has the mean {mean short 1} and R-hat {rhat short}; `hmc` has {ess hmc} effective draws. All chains of both are on the first hill. The mean of the target is 3.6.",
      arm = "short", point = { word = "never saw the second hill", arm = "short" } },
    { say = "`long` is the only arm that crosses. Its mean is {mean long 1}, and its R-hat, {rhat long}, is the largest of the three.", arm = "long" },
    { ask = "What would R-hat of `short` be if one in four of its chains had started on the second hill?",
      choose = { { "1.0", at_most = 1.05, say = "One in four would stay at 12 and the others at 0: they would disagree." },
                 { "about 1.5", at_least = 1.05, at_most = 3 },
                 { "above 5", at_least = 5, say = "This R-hat is computed from ranks, which do not depend on the distance between the hills." } },
      truth = { figure = "rhat", arm = "short", of = 1, at = "end", start = { { -1 }, { 0 }, { 1 }, { 12 } } } },
    { reveal = "{truth}: chains that start far apart can disagree, and so can warn you.", arm = "short" },
    { say = "Agreement is evidence only if the chains could have disagreed: spread the starts, and try another kernel." },
    { say = "R-hat tells whether chains agree, not whether they are right. Find starts that show who is wrong: `chainscope exercise 51`." },
  },

  claims = {
    { arm = "short", stat = "mean", of = 1, near = 0, within = 0.041, note = "the mean of the target is 3.6" },
    { arm = "short", stat = "rhat", of = 1, at_most = 1.05 },
    { arm = "hmc", stat = "mean", of = 1, near = 0, within = 0.012 },
    { arm = "long", stat = "mean", of = 1, at_least = 1.5 },
  },
}
