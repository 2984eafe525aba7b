-- A ratio in which an unknown constant does not cancel.
--
-- The data y are 10 x 10 spins with p(y | beta) = f(beta, y) / Z(beta). Z is a sum over
-- 2^100 grids and depends on beta. `exact` (the exchange algorithm) simulates a grid at each
-- proposal, so that Z cancels. `inner_1` simulates by one sweep from the data, and `naive`
-- leaves Z out.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"
local step = 0.12

-- log_prior is the log prior plus log f of the data: the density without its constant Z.
local naive = cs.kernel {
  params = { step = step },
  propose = function(x, _, draw, params) return { x[1] + params.step * draw:normal() } end,
  log_ratio = function(x, y, _, _, _, target) return target:log_prior(y) - target:log_prior(x) end,
}

return cs.scenario {
  title  = "The constant that does not cancel",
  shows  = "A constant that cannot be computed is replaced by simulated data",
  source = "auxiliary, algorithm 4; Murray, Ghahramani and MacKay 2006; Liang 2010",
  tags   = "course week-10 minutes-7",
  exercise = "exercises/103_exchange.lua",

  target = cs.target.ising_parameter { rows = 10, truth = { 0.39 }, seed = 5, low = { 0 }, high = { 0.6 } },
  chains = 8, seed = 17, start = { 0.3 },
  arms   = {
    { name = "exact", kernel = cs.kernel.exchange { step = step } },
    { name = "inner_1", kernel = cs.kernel.exchange { step = step, inner = 1 } },
    { name = "naive", kernel = naive },
  },
  budget = { steps = 800 },
  warmup = 20,
  screen = { "lesson", { "trace", quantity = "beta", arm = "naive" }, { "simulation", arm = "exact" }, "summary" },
  course = {
    { say = "A map of 10 x 10 spins, and one number: beta says how strongly neighbours agree. Its prior is uniform from 0 to 0.6. The likelihood is f(beta, map) / Z(beta), where Z is a sum over 2^100 maps and cannot be computed." },
    { ask = "`naive` uses f without Z, as if the constant cancelled. All chains begin at 0.3. Its mean of beta in the end?",
      choose = { { "near 0.3", at_most = 0.33, say = "It does move: f of any map with more pairs that agree grows with beta." },
                 { "near 0.4", at_least = 0.36, at_most = 0.44, say = "That is where the mass is. But Z depends on beta, so it is missing in the ratio." },
                 { "above 0.5", at_least = 0.52 } },
      truth = { figure = "mean", arm = "naive", of = "beta", at = "end" }, cover = { "ks" } },
    { run = 100, speed = 25, say = "A hundred steps. Watch beta by `naive`." },
    { reveal = "{truth}: it goes to the border. f grows with beta, and Z, which grows too, is missing." },
    { say = "`exact` simulates a map at each proposal, by an exact method. In the ratio, f of this map replaces Z: the exchange algorithm.", arm = "exact" },
    { ask = "`inner_1` simulates its map by one sweep that begins at the data. Its mean of beta less that of `exact`?",
      choose = { { "below -0.01", at_most = -0.01, say = "One sweep does not forget where it began, so the ratio is wrong; here it errs upwards." },
                 { "about 0", at_least = -0.009, at_most = 0.008, say = "One sweep does not forget where it began. The accept step then uses a wrong ratio." },
                 { "above 0.012", at_least = 0.012 } },
      truth = { figure = "mean", arm = "inner_1", of = "beta", less_than = "exact", at = "end" }, cover = { "ks" } },
    { run = 700, speed = 200, say = "To the end of the run.", arm = "inner_1" },
    { reveal = "{truth}: means {mean exact beta} and {mean inner_1 beta}. One sweep is not enough." },
    { ask = "Does R-hat show it? R-hat of beta by `inner_1`:",
      choose = { { "about 1", at_most = 1.08 },
                 { "above 1.15", at_least = 1.15, say = "The chains agree with each other, on the wrong distribution." } },
      truth = { figure = "rhat", arm = "inner_1", of = "beta" } },
    { reveal = "{truth}. Only the exact distribution tells: the largest difference (ks) is {ks inner_1} for `inner_1`, {ks exact} for `exact`." },
    { say = "A constant that cannot be computed is replaced by simulated data. Write the ratio: `chainscope exercise 103`." },
  },

  claims = {
    { arm = "naive", stat = "mean", of = "beta", at_least = 0.55, note = "the border is 0.6" },
    { arm = "exact", stat = "mean", of = "beta", near = 0.3765, within = 0.015 },
    { arm = "inner_1", stat = "mean", of = "beta", less_than = "exact", at_least = 0.012, note = "biased" },
    { arm = "inner_1", stat = "rhat", of = "beta", at_most = 1.08 },
    { arm = "inner_1", stat = "ks", less_than = "exact", at_least = 0.05 },
  },
}
