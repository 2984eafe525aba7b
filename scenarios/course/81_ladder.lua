-- Hot chains carry a cold chain from one hill to another, if the ladder reaches high enough.
--
-- Two hills, 16 apart, with 30 and 70 % of the mass; all chains start on the smaller one.
-- `cool` swaps most often and makes the most round trips, but its hottest chain rarely
-- crosses the valley.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local function walk() return cs.kernel.random_walk { step = 1 } end
local function ladder(rungs, hottest)
  return cs.kernel.parallel_tempering { kernel = walk(), rungs = rungs, hottest = hottest, swap_interval = 5 }
end

return cs.scenario {
  title  = "Hot chains carry the cold one",
  shows  = "Ladders of temperatures, their round trips, and their means",
  tags   = "course week-8 minutes-8",
  exercise = "exercises/81_ladder.lua",

  target = cs.target.mixture { means = { { -8, 0 }, { 8, 0 } }, weights = { 0.3, 0.7 }, sd = 1 },
  chains = 16, seed = 8,
  start  = { -8, 0 },
  arms   = {
    single = walk(),
    cool  = ladder(4, 4),
    eight = ladder(8, 60),
  },
  budget = { steps = 12000 },
  warmup = 0,
  screen = { "lesson", "map", "visits", { "trace", quantity = "x.1", arm = "eight" } },

  course = {
    { say = "Two hills, 16 apart. The left one has 30 % of the mass, and all chains start on it. A step of the walk is 1." },
    { ask = "The mean of x.1 is 3.2. What is the mean of `single`, a walk without a ladder?",
      choose = { { "about -8", at_most = -7 }, { "about 0", at_least = -3, at_most = 2, say = "It would have to cross a valley of width 16 in steps of 1, through regions of almost no mass. The panel `visits` shows one hill." },
                 { "about 3.2", at_least = 2.5, say = "It would have to cross a valley of width 16 in steps of 1, through regions of almost no mass. The panel `visits` shows one hill." } },
      truth = { figure = "mean", arm = "single", of = 1, at = "end" }, cover = { "modes_visited", "mode_tv" } },
    { run = 1000, speed = 400, say = "A thousand steps.", arm = "single" },
    { reveal = "{truth}: no chain left its hill." },
    { say = "`cool` has four chains at temperatures from 1 to 4, `eight` has eight from 1 to 60. Chains at neighbouring temperatures exchange their states. A round trip leads from the coldest chain to the hottest and back." },
    { ask = "Which ladder makes more round trips?", choose = { "cool", "eight" },
      truth = { largest = "trips", at = "end" }, cover = { "modes_visited", "mode_tv" },
      wrong = "Temperatures that are close to each other exchange easily: states of `cool` go up and down all the time." },
    { run = 11000, speed = 3000, say = "To the end of the run.", arm = "eight" },
    { reveal = "Round trips: {truth}." },
    { ask = "Is the ladder with more round trips right? What is the mean of x.1 by `cool`, where 3.2 is right?",
      choose = { { "near 3.2", at_least = 2, say = "At temperature 4 the valley is still deep: hardly any trip crosses it, as the panel `visits` shows." }, { "below 0", at_most = 0 } },
      truth = { figure = "mean", arm = "cool", of = 1 }, cover = { "modes_visited", "mode_tv" } },
    { reveal = "{truth}, and by `eight` {mean eight 1}.", arm = "cool" },
    { say = "Round trips help only if the hottest chain crosses. The ladder must be hot enough at its top, and its temperatures close enough for exchanges. Build one: `chainscope exercise 81`." },
  },

  claims = {
    { arm = "single", stat = "mean", of = 1, at_most = -7 },
    { arm = "cool", stat = "mean", of = 1, at_most = 0, note = "the exact value is 3.2" },
    { arm = "eight", stat = "mean", of = 1, near = 2.55, within = 1.45, note = "the exact value is 3.2; all chains start on the left hill" },
  },
}
