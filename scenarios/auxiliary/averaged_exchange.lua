-- One simulation a step, the mean of five, or a bridge of five.
--
-- Exchange decides by one data set w that it simulates at the proposal: the factor
-- f(x, w) / f(y, w) stands in for Z(x) / Z(y). One draw is a noisy estimate, and noise
-- costs acceptance: `one` takes 0.37 of its proposals, and a random walk that knows Z
-- 0.475 of such ones.
--
-- `five` simulates five data sets and takes the mean of their factors. The mean in
-- place of one factor would be biased: the way back must use the same draws. So a
-- coin is thrown whether all five are made at the proposal, or one of them there and
-- four where the chain is, and the ratio is that of the two. It takes 0.425.
--
-- `bridged` makes one exact draw and moves it by five sweeps along the straight
-- line from the proposal to the state. It takes 0.43, and a sweep there and back is
-- 200 updates where an exact draw has 3300 in the mean.
--
-- So averaging is worth it where five simulations cost little more than one, on
-- idle processors, say. Counted in updates it gives 1.5 times the effective draws
-- for 6 times the work; the bridge 1.75 times for 1.3.
local cs = require "chainscope"

return cs.scenario {
  title  = "Averaged exchange",
  shows  = "Five simulations a step help little for what they cost; a bridge costs little",
  source = "auxiliary, algorithm 4; Murray and others 2006; Andrieu and others 2020",

  target = cs.target.ising_parameter { rows = 10, truth = { 0.39 }, seed = 5, low = { 0 }, high = { 0.6 } },
  chains = 16, seed = 17, start = { 0.3 },
  arms   = {
    { name = "knows_z", kernel = cs.kernel.random_walk { step = 0.12 } },
    { name = "one", kernel = cs.kernel.exchange { step = 0.12 } },
    { name = "five", kernel = cs.kernel.exchange { step = 0.12, simulations = 5 } },
    { name = "bridged", kernel = cs.kernel.exchange { step = 0.12, bridges = 5 } },
  },
  budget = { steps = 1500 },
  full   = { budget = { steps = 10000 } },
  warmup = 20,
  screen = { "lesson", { "simulation", arm = "bridged" }, "acceptance", "distance", "summary" },

  claims = {
    { arm = "five", stat = "acceptance", less = "one", at_least = 0.02 },
    { arm = "bridged", stat = "acceptance", less = "one", at_least = 0.02 },
    { arm = "knows_z", stat = "acceptance", less = "bridged", at_least = 0 },
    { arm = "five", stat = "site_updates", over = "one", at_least = 4 },
    { arm = "bridged", stat = "site_updates", over = "one", at_most = 1.6 },
    { arm = "one", stat = "ks", at_most = 0.06, note = "each is exact" },
    { arm = "five", stat = "ks", at_most = 0.06 },
    { arm = "bridged", stat = "ks", at_most = 0.06 },
  },
}
