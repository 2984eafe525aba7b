-- One Ising lattice, sampled with and without gradients: count the work before the winner.
--
-- `gibbs` redraws one spin per step from its neighbours. `dmala` proposes to change several
-- spins at once, and follows the gradient of the log density. `dula` does the same without
-- an accept step.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

return cs.scenario {
  title  = "Nine spins",
  shows  = "Name the work before you name the winner",
  source = "Zhang, Liu and Liu 2022",
  tags   = "course week-9 minutes-7",
  exercise = "exercises/91_one_lattice.lua",

  target = cs.target.ising { rows = 3, beta = 0.15 },
  chains = 16, seed = 9,
  arms   = {
    { name = "gibbs", kernel = cs.kernel.gibbs {} },
    { name = "dmala", kernel = cs.kernel.dmala { step = 0.4 } },
    { name = "dula", kernel = cs.kernel.dula { step = 0.4 } },
  },
  budget = { steps = 3000 },
  warmup = 0,
  screen = { "lesson", "picture", { "trace", quantity = "x.1.1", arm = "gibbs" }, "visits", "summary" },

  course = {
    { say = "Nine spins on a grid, 0 or 1. Neighbours tend to be equal. `gibbs` redraws one spin per step from its neighbours." },
    { run = 20, speed = 4, say = "Twenty steps of `gibbs`: one spin at a time.", arm = "gibbs" },
    { say = "A spin has no slope, but log p can be written as a formula of real numbers. `dmala` follows the gradient of this formula and changes several spins at once.", arm = "dmala" },
    { ask = "Effective draws after the same number of steps: `gibbs` divided by `dmala`?",
      choose = { { "less than 0.5", at_most = 0.5 },
                 { "about 1", at_least = 0.85, at_most = 1.2, say = "One of nine spins changes in a step of `gibbs`, and several in a step of `dmala`." },
                 { "more than 1.3", at_least = 1.3, say = "`gibbs` rejects nothing, but it draws only one spin of nine per step." } },
      truth = { figure = "ess", arm = "gibbs", ratio_to = "dmala", at = "end" } },
    { run = 980, speed = 300, say = "A thousand steps." },
    { reveal = "{truth}: in a step, `dmala` does more." },
    { ask = "A gradient reads all nine spins, and a step of `gibbs` the neighbours of one. Now for equal work, in evaluations of log p: effective draws of `dmala` divided by those of `gibbs`?",
      choose = { { "less than 1", at_most = 0.8 },
                 { "more than 1", at_least = 1.25, say = "That was for equally many steps. Divide by the work." } },
      truth = { figure = "ess_per_work", arm = "dmala", ratio_to = "gibbs", at = "end" }, cover = { "ess" } },
    { run = 2000, say = "To the end of the run.", arm = "dula" },
    { reveal = "{truth}: the order is reversed when the work is counted." },
    { ask = "`dula` is `dmala` without its accept step, and has more effective draws. Its distance (tv) from the exact shares of the 512 states, divided by that of `dmala`?",
      choose = { { "less than 1", at_most = 0.9, say = "More effective draws give less noise. But they are draws of another distribution." },
                 { "more than 1.2", at_least = 1.2 } },
      truth = { figure = "tv", arm = "dula", ratio_to = "dmala" }, cover = { "ks" } },
    { reveal = "{truth}, though it has {ess dula} effective draws for {ess dmala}: quick draws of something else." },
    { say = "Name the work before you name the winner. Your turn: `chainscope exercise 91`." },
  },

  claims = {
    { arm = "gibbs", stat = "ess", ratio_to = "dmala", at_most = 0.6 },
    { arm = "dmala", stat = "ess_per_work", ratio_to = "gibbs", at_most = 0.9 },
    { arm = "dula", stat = "tv", ratio_to = "dmala", at_least = 1.2 },
  },
}
