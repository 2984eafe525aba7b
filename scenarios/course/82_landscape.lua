-- Whether a chain crosses depends on its steps and on the density between two hills.
--
-- Three hills in the plane; the third one is 23 standard deviations away. Two walks start
-- on the near hills, with steps of 1 and of 8.
--
-- Enter and backspace go through the lesson; a digit answers a question. H edits the hills.
local cs = require "chainscope"

return cs.scenario {
  title  = "Three hills",
  shows  = "Short and long steps between hills that are far apart",
  tags   = "course week-8 minutes-6",
  exercise = "exercises/82_landscape.lua",

  target = cs.target.mixture {
    means   = { { -2, 0 }, { 2, 1 }, { 20, 15 } },
    weights = { 0.4, 0.4, 0.2 },
    sd      = 1,
  },
  chains = 16, seed = 3, start = { { -2, 0 }, { 2, 1 } },
  arms   = {
    short = cs.kernel.random_walk { step = 1 },
    long  = cs.kernel.random_walk { step = 8 },
  },
  budget = { steps = 10000 },
  warmup = 0,
  screen = { "lesson", "map", { "trace", quantity = "x.1", arm = "short" }, "visits", "summary" },

  course = {
    { say = "Three hills, with 40, 40 and 20 % of the mass. The third one is far away. All chains start on the first two.", point = { word = "the third hill", x = { 20, 15 } } },
    { ask = "The mean of x.1 is 4. What is the mean of `short`, with steps of 1?",
      choose = { { "about 0", at_most = 1 }, { "about 2", at_least = 1.5, at_most = 2.6, say = "Even a single visit to the third hill would need twenty steps through a region of almost no density." },
                 { "about 4", at_least = 3.2, say = "The third hill is 23 standard deviations away: steps of 1 never get there, and the map stays empty." } },
      truth = { figure = "mean", arm = "short", of = 1, at = "end" }, cover = { "modes_visited", "mode_tv" } },
    { run = 5000, speed = 2000, say = "Five thousand steps." },
    { reveal = "{truth}: as if the third hill did not exist." },
    { ask = "R-hat compares the chains of an arm. What is its value for x.1 by `short`?",
      choose = { { "about 1", at_most = 1.1 }, { "about 1.5", at_least = 1.2, at_most = 3, say = "All its chains have seen the same two hills, so they agree." },
                 { "above 5", at_least = 4, say = "All its chains have seen the same two hills, so they agree." } },
      truth = { figure = "rhat", arm = "short", of = 1 } },
    { reveal = "{truth}: all chains have seen the same two hills, and agree." },
    { ask = "`long` has steps of 8. What share of its proposals, from 0 to 1, is accepted?", within = 0.03,
      truth = { figure = "acceptance", arm = "long", at = "end" },
      wrong = "Nearly all of its proposals fall where there is almost no density." },
    { run = 5000, say = "To the end of the run.", arm = "long" },
    { reveal = "{truth}. Its mean is {mean long 1}: it accepts few proposals, but visits all three hills." },
    { say = "Edit the hills with H: put a small one between, and see whether `short` crosses." },
    { say = "Short steps cross only where there is density between two hills; long steps cross a valley, but few of them are accepted. Add a hill: `chainscope exercise 82`." },
  },

  claims = {
    { arm = "short", stat = "mean", of = 1, at_most = 0.5, note = "the exact value is 4" },
    { arm = "short", stat = "rhat", of = 1, at_most = 1.1 },
    { arm = "long", stat = "modes_visited", at_least = 2.4 },
    { arm = "long", stat = "acceptance", at_most = 0.1 },
  },
}
