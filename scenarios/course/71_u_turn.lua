-- How long should a trajectory of HMC be? NUTS ends it where it turns back.
--
-- Four normal coordinates with standard deviations from 0.5 to 4. Trajectories of
-- 1 leapfrog step are too short for the longest, and those of 64 come back to their start.
-- `nuts` doubles each trajectory until its two ends approach each other.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local sds = { 4, 0.5, 1, 2 }
local covariance = {}
for i = 1, #sds do
  for j = 1, #sds do covariance[#covariance + 1] = i == j and sds[i] ^ 2 or 0 end
end

return cs.scenario {
  title  = "Turn back when you come home",
  shows  = "Go until the path leads back, then choose any point of the path",
  source = "Hoffman and Gelman 2014",
  tags   = "course week-7 minutes-7",
  exercise = "exercises/71_u_turn.lua",

  target = cs.target.gaussian { dim = #sds, covariance = covariance },
  chains = 16, seed = 7,
  arms   = {
    { name = "l1", kernel = cs.kernel.hmc { step = 0.4, leapfrogs = 1, jitter = 0.2 } },
    { name = "l16", kernel = cs.kernel.hmc { step = 0.4, leapfrogs = 16, jitter = 0.2 } },
    { name = "l64", kernel = cs.kernel.hmc { step = 0.4, leapfrogs = 64, jitter = 0.2 } },
    { name = "nuts", kernel = cs.kernel.nuts { step = 0.4 }, tuner = cs.tuner.warmup { steps = 1 } },
  },
  budget = { steps = 800 },
  warmup = 0,
  screen = { "lesson", "map", { "trace", quantity = "x.1", arm = "l1" }, "acceptance", "summary" },
  course = {
    { say = "Four normal coordinates. The standard deviation of x.1 is 4, that of x.2 is 0.5. Each of `l1`, `l16` and `l64` makes trajectories of 1, 16 or 64 leapfrog steps of 0.4." },
    { run = 20, speed = 4, say = "Twenty steps of `l16`.", arm = "l16" },
    { ask = "Which of the three has the most effective draws of x.1 after 800 steps?",
      choose = { "l1", "l16", "l64" }, truth = { largest = "ess", of = 1, at = "end" }, cover = { "rhat", "mcse" },
      wrong = "A coordinate swings with a period of 2 pi times its standard deviation: 25 for x.1. A path of 25 leads home." },
    { run = 380, speed = 100, say = "Four hundred steps." },
    { reveal = "{truth}. A longer trajectory is not always better: 64 steps of 0.4 are one period of x.1." },
    { say = "`nuts` needs no length. It doubles its path until the two ends begin to approach each other (a U-turn), and then draws a point of the whole path.", arm = "nuts" },
    { ask = "How many gradients does `nuts` need per step, with the same leapfrog step of 0.4?",
      choose = { { "about 2", at_most = 4, say = "The path grows until it turns, and the widest coordinate turns last." },
                 { "about 16", at_least = 10, at_most = 30 },
                 { "about 64", at_least = 45, say = "A path of 64 steps would have turned long before." } },
      truth = { figure = "gradients", arm = "nuts", at = "end" } },
    { run = 400, say = "To the end of the run.", arm = "nuts" },
    { reveal = "{truth}: fewer than one period of x.1, and the length was not chosen by hand." },
    { ask = "Effective draws per evaluation of the coordinate with the fewest: `nuts` divided by `l64`?",
      choose = { { "more than 1", at_least = 1.1 },
                 { "less than 1", at_most = 0.9, say = "The trajectories of `l64` are four times as long, and end where they began." } },
      truth = { figure = "ess_per_work", arm = "nuts", ratio_to = "l64" } },
    { reveal = "{truth}. Yet `l16`, whose length is chosen well by hand, gets {ess_per_work l16} for {ess_per_work nuts} of `nuts`: the search for the turn costs something." },
    { say = "Go until the path leads back, then choose any point of the path. Write the test for the turn: `chainscope exercise 71`." },
  },

  claims = {
    { arm = "l16", stat = "ess", of = 1, at_least = 3000 },
    { arm = "l64", stat = "ess", of = 1, at_most = 2500 },
    { arm = "nuts", stat = "gradients", near = 17, within = 0.3 },
    { arm = "nuts", stat = "ess_per_work", ratio_to = "l64", at_least = 1.2 },
    { arm = "nuts", stat = "sd", of = 1, near = 4, within = 0.26 },
  },
}
