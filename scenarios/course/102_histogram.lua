-- Level the mountains: a chain with learned weights visits all energies equally often.
--
-- An Ising lattice of 4 x 4 spins at a low temperature has two modes, all spins up and all
-- spins down. `gibbs` seldom passes between them, because the states between are rare.
-- `learning` (Wang-Landau) raises a weight for each energy that it visits, until all
-- energies are visited equally often.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local side, beta = 4, 0.6
local bonds = 2 * side * side

return cs.scenario {
  title  = "Level the mountains",
  shows  = "A weight for each energy, and chains that cross between modes",
  source = "Wang and Landau 2001; Belardinelli and Pereyra 2007",
  tags   = "course week-10 minutes-7",
  exercise = "exercises/102_histogram.lua",

  target = cs.target.ising { rows = side, beta = beta },
  chains = 8, seed = 3,
  arms   = {
    { name = "gibbs", kernel = cs.kernel.gibbs {} },
    { name = "learning", kernel = cs.kernel.wang_landau { kernel = cs.kernel.gibbs {}, measure = "uniform", bins = side * side + 1,
                                                         first = beta * (2 - bonds), width = 4 * beta } },
  },
  budget = { steps = 3000 },
  warmup = 0,
  screen = { "lesson", { "bins", arm = "learning" }, "picture", { "trace", quantity = "x.1.1", arm = "gibbs" }, "summary" },
  course = {
    { say = "Sixteen spins at a low temperature. Nearly all of the mass is where all are up or all are down: two modes, with rare states between them." },
    { run = 20, speed = 5, say = "Twenty steps of `gibbs`, which redraws one spin per step.", arm = "gibbs" },
    { ask = "How many times does a chain of `gibbs` jump from one mode to the other in 3,000 steps?",
      choose = { { "fewer than 15", at_most = 15 },
                 { "about 50", at_least = 30, at_most = 75, say = "To cross, about eight spins must turn against their neighbours, one after the other." },
                 { "more than 100", at_least = 100, say = "To cross, about eight spins must turn against their neighbours, one after the other." } },
      truth = { figure = "jumps", arm = "gibbs", at = "end" }, cover = { "modes_mean", "modes_visited", "rhat" } },
    { run = 980, speed = 200, say = "A thousand steps. Watch the spins of `gibbs`." },
    { reveal = "{truth}: the mountain between the modes is high." },
    { say = "`learning` has a weight for each energy. At each visit, it makes the present energy less likely. In the panel `bins`, the weights (above) grow towards the number of states with each energy.", arm = "learning" },
    { ask = "How many jumps between the modes does a chain of `learning` make in 3,000 steps?",
      choose = { { "fewer than 15", at_most = 15, say = "An energy that is visited often becomes unlikely, so the chain is driven on, over the mountain." },
                 { "more than 50", at_least = 50 } },
      truth = { figure = "jumps", arm = "learning", at = "end" }, cover = { "modes_mean", "modes_visited" } },
    { run = 2000, say = "To the end of the run.", arm = "learning" },
    { reveal = "{truth}: when all energies are visited equally often, the mountain is level." },
    { ask = "Its draws are not draws of the target: each has a weight. The effective share of the draws, after weighting?",
      choose = { { "nearly all", at_least = 0.5, say = "Most draws have energies which the target nearly never has: their weights are tiny." },
                 { "about a quarter", at_least = 0.15, at_most = 0.4, say = "Most draws have energies which the target nearly never has: their weights are tiny." },
                 { "less than a twentieth", at_most = 0.05 } },
      truth = { figure = "weight_share", arm = "learning" } },
    { reveal = "{truth}. Mean of log p: `learning` {log_density learning}, `gibbs` {log_density gibbs}. While weights are being learned, the draws are biased: learn first, then freeze the weights (`multicanonical`). Count states yourself: `chainscope exercise 102`." },
  },

  claims = {
    { arm = "gibbs", stat = "jumps", at_most = 10 },
    { arm = "learning", stat = "jumps", at_least = 70 },
    { arm = "learning", stat = "weight_share", at_most = 0.03 },
    { arm = "learning", stat = "log_density", less_than = "gibbs", at_most = -1, note = "the bias of weights that are still being learned" },
  },
}
