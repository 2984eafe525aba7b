-- Do entropic samplers prefer flat modes?
--
-- Sixteen states of four bits. States 3 and 8 are sharp modes: their neighbours have little
-- mass. States 5 and 10 are flat ones. The entropic samplers `edmala` and `edula` have a
-- second variable, normal around the bits, whose gradient leads to flat regions. `edmala`
-- has an accept step, `edula` has none.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

return cs.scenario {
  title  = "Does it prefer the flat one?",
  shows  = "The shares of flat and sharp modes, with and without an accept step",
  source = "Mohanty et al. 2025",
  tags   = "course week-9 minutes-7",
  exercise = "exercises/92_flat_modes.lua",

  target = cs.target.bernoulli4 {},
  chains = 16, seed = 21,
  arms   = {
    edmala = cs.kernel.edmala { step = 0.4, step_a = 0.1, eta = 1 },
    edula  = cs.kernel.edula { step = 0.2, step_a = 0.1, eta = 0.1 },
  },
  budget = { steps = 10000 },
  warmup = 0,
  screen = { "lesson", "visits", "state", "acceptance" },

  course = {
    { say = "Sixteen states, two sharp modes (3 and 8) and two flat ones (5 and 10). `edmala` and `edula` follow the gradient of a smoothed density, which leads to flat modes. Only `edmala` has an accept step." },
    { ask = "Flat mode 5 has 0.087 of the mass. What is its share of the draws of `edmala` in the end?",
      choose = { { "less", at_most = 0.07, say = "The smoothed gradient leads to flat modes, but the accept step removes this preference." },
                 { "the same", at_least = 0.075, at_most = 0.1 },
                 { "a fifth more", at_least = 0.104, say = "The smoothed gradient leads to flat modes, but the accept step removes this preference." } },
      truth = { figure = "mode_share", arm = "edmala", of = 5, at = "end" }, cover = { "tv", "mode_tv" } },
    { run = 3000, speed = 1500, say = "Watch the visits." },
    { reveal = "{truth}: the accept step removes the preference for flat modes." },
    { ask = "Sharp mode 8 has 0.168 of the mass. What is its share of the draws of `edula` in the end?",
      choose = { { "about the same", at_least = 0.15, say = "Without an accept step nothing corrects the smoothed gradient." },
                 { "about half", at_least = 0.07, at_most = 0.12 } },
      truth = { figure = "mode_share", arm = "edula", of = 8, at = "end" }, cover = { "tv", "mode_tv" } },
    { run = 7000, say = "To the end of the run.", arm = "edula" },
    { reveal = "{truth}: without an accept step the sharp modes lose mass." },
    { ask = "The two flat modes have 0.145 of the mass together. Do they gain what the sharp ones lose? What is the share of flat mode 10 by `edula`, where 0.058 is right?",
      choose = { { "about 0.06", at_most = 0.075 }, { "above 0.1", at_least = 0.095, say = "The mass goes to other states, between the modes." } },
      truth = { figure = "mode_share", arm = "edula", of = 10 }, cover = { "tv", "mode_tv" } },
    { reveal = "{truth}. The mass goes to other states: `edula` does not prefer flat modes, it is biased." },
    { say = "The total variation distance from the exact probabilities is {tv edmala} for `edmala` and {tv edula} for `edula`." },
    { say = "An accept step removes a preference for flat modes. Without it, the draws are biased. Reduce the bias: `chainscope exercise 92`." },
  },

  claims = {
    { arm = "edmala", stat = "mode_share", of = 5, near = 0.087, within = 0.009 },
    { arm = "edula", stat = "mode_share", of = 8, at_most = 0.12, note = "the exact value is 0.168" },
    { arm = "edula", stat = "tv", at_least = 0.1 },
  },
}
