-- The exchange algorithm with one simulation per step, with five, or with a bridge.
--
-- The exchange algorithm needs the ratio Z(x) / Z(y) of unknown normalising constants at
-- the state x and the proposal y. It replaces this ratio by f(x, w) / f(y, w); f is the
-- unnormalised likelihood, and w a data set simulated at y. The noise of this estimate
-- lowers the acceptance: it is 0.37 for `one` and 0.475 for a random walk that knows Z.
-- `five` averages the factors of five data sets and accepts 0.425. `bridged` makes one
-- exact draw, moves it by five sweeps along the line from y to x, and accepts 0.43.
--
-- Watch `acceptance` and the work in `summary`. `five` gives 1.5 times the effective
-- draws of `one` for 6 times its spin updates; `bridged` gives 1.75 times the effective
-- draws of `one` for 1.3 times its updates.

-- Averaging therefore pays only if idle processors can make the additional simulations.

local cs = require "chainscope"

-- The mean of several factors would be biased, because the reverse move must use the same
-- simulated data sets. So a coin decides whether all five data sets are simulated at the
-- proposal, or one at the proposal and four at the current state, and the ratio uses
-- both. A sweep there and back is 200 spin updates; an exact draw takes 3300 on average.
return cs.scenario {
  title  = "Averaged exchange",
  shows  = "Five simulations per step help little for their cost; a bridge is as good and cheap",
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
    { arm = "five", stat = "acceptance", less_than = "one", at_least = 0.02 },
    { arm = "bridged", stat = "acceptance", less_than = "one", at_least = 0.02 },
    { arm = "knows_z", stat = "acceptance", less_than = "bridged", at_least = 0 },
    { arm = "five", stat = "site_updates", ratio_to = "one", at_least = 4 },
    { arm = "bridged", stat = "site_updates", ratio_to = "one", at_most = 1.6 },
    { arm = "one", stat = "ks", at_most = 0.06, note = "all arms are exact" },
    { arm = "five", stat = "ks", at_most = 0.06 },
    { arm = "bridged", stat = "ks", at_most = 0.06 },
  },
}
