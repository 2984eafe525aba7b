-- Lecture, week 5: five witnesses, four of which agree and have not seen the whole target.
--
-- The target has two hills, 12 standard deviations apart, with 70 and 30 % of the mass. All
-- chains start on the first hill. `short`, `hmc` and `nuts` sample this hill well and never leave
-- it; `langevin` takes gradient steps without an accept step; `long` crosses.
-- Lesson 53 continues with simulated data, whose true answer is known.
--
-- Enter and backspace go through the lecture; a digit answers a question.
local cs = require "chainscope"

return cs.scenario {
  title  = "Lecture 5: five witnesses",
  shows  = "Agreement is evidence only if the chains could have disagreed",
  source = "Vehtari et al. 2021",
  tags   = "course week-5 minutes-12 lecture",

  target = cs.target.mixture { means = { { 0 }, { 12 } }, weights = { 0.7, 0.3 }, sd = 1 },
  chains = 32, seed = 3,
  start  = { { -1 }, { 0 }, { 1 }, { 0.5 } },
  arms   = {
    { name = "short", kernel = cs.kernel.random_walk { step = 1 } },
    { name = "hmc", kernel = cs.kernel.hmc { step = 0.5, leapfrogs = 4 } },
    { name = "nuts", kernel = cs.kernel.nuts { step = 0.5 } },
    { name = "langevin", kernel = cs.kernel.sgld { rate = 0.6 } },
    { name = "long", kernel = cs.kernel.random_walk { step = 5 } },
  },
  budget = { steps = 4000 },
  warmup = 0,
  screen = { "lesson", { "trace", quantity = "x.1", arm = "short" }, "summary" },

  course = {
    { say = "First a question from week 3: `long` has steps of 5 standard deviations, `short` steps of 1. Which accepts more of its proposals, and which explores more? Keep your answer." },
    { run = 1000, speed = 500, say = "A thousand steps of five kernels, 32 chains each. You see traces and figures. You do not know the target.", arm = "short" },
    { say = "R-hat of `short` is {rhat short}: its 32 chains agree. Would you print its mean, {mean short 1}?" },
    { ask = "`hmc` and `nuts` agree with it. Which of the five arms do you trust most?", choose = { "short", "hmc", "nuts", "langevin", "long" },
      truth = { largest = "sd", of = 1, at = "end" }, cover = { "modes_visited", "mean", "mode_tv" },
      wrong = "Effective draws and R-hat measure the agreement of the chains, not the hills that all of them have missed." },
    { run = 3000, say = "To the end of the run. Vote again if you have changed your mind." },
    { reveal = "The standard deviation of x.1: {truth}. Only `long` has seen the second hill.", arm = "long", show = { "lesson", "visits", { "trace", quantity = "x.1", arm = "long" }, "summary" } },
    { say = "The mean of the target is 3.6. `short` has {mean short 1}, `hmc` {mean hmc 1}, `nuts` {mean nuts 1}. `long` has {mean long 1}, and the largest R-hat of these four, {rhat long}.",
      arm = "short", point = { word = "never saw the second hill", arm = "short" } },
    { ask = "What would R-hat of `short` be if one in four of its chains had started on the second hill?",
      choose = { { "1.0", at_most = 1.05, say = "One in four would stay at 12 and the others at 0: they would disagree." },
                 { "about 1.5", at_least = 1.05, at_most = 3 },
                 { "above 5", at_least = 5, say = "This R-hat is computed from ranks, which do not depend on the distance between the hills." } },
      truth = { figure = "rhat", arm = "short", of = 1, at = "end", start = { { -1 }, { 0 }, { 1 }, { 12 } } } },
    { reveal = "{truth}, measured on a copy of the run. Chains that start far apart can disagree, and so can warn you.", arm = "short" },
    { say = "Agreement is evidence only if the chains could have disagreed." },
    { say = "Another crime: `langevin` follows the gradient with noise, and has no accept step. It stays on the first hill like the others.", arm = "langevin", show = { "lesson", { "marginal", quantity = "x.1", arm = "langevin" }, "summary" } },
    { ask = "Does R-hat of `langevin` betray that its draws are wrong?",
      choose = { { "no: about 1", at_most = 1.05 }, { "yes: above 1.1", at_least = 1.1, say = "R-hat asks whether the chains agree. All chains of `langevin` agree on the same wrong distribution." } },
      truth = { figure = "rhat", arm = "langevin", of = 1 } },
    { reveal = "{truth}." },
    { ask = "The first hill has standard deviation 1, as `hmc` finds. That of `langevin`, divided by that of `hmc`?",
      choose = { { "below 0.9", at_most = 0.9, say = "The noise is added after each step, and nothing rejects what goes too far." },
                 { "about 1", at_least = 0.95, at_most = 1.05, say = "Without an accept step nothing removes the error of the step size." },
                 { "above 1.1", at_least = 1.1 } },
      truth = { figure = "sd", arm = "langevin", of = 1, ratio_to = "hmc" } },
    { reveal = "{truth}. The figures of `langevin` do not show it: a known answer is needed. Lesson 53 makes one, by simulated data." },
    { say = "Spread the starts, compare with another kernel, rank a known truth, and say the Monte Carlo error." },
  },

  claims = {
    { arm = "short", stat = "rhat", of = 1, at_most = 1.05 },
    { arm = "nuts", stat = "mean", of = 1, near = 0, within = 0.1, note = "the mean of the target is 3.6" },
    { arm = "long", stat = "mean", of = 1, at_least = 1.5 },
    { arm = "langevin", stat = "sd", of = 1, at_least = 1.1 },
    { arm = "long", stat = "rhat", of = 1, less_than = "short", at_least = 0 },
  },
}
