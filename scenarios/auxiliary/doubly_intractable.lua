-- Sampling a posterior whose likelihood has an unknown normalising constant.
--
-- For an Ising model with grid y, p(y | beta) = f(beta, y) / Z(beta). Z depends on beta,
-- so an ordinary accept step needs Z. But Z is a sum over 2^100 grids. `exact` (the
-- exchange algorithm) simulates a grid w at each proposal beta' by coupling from the
-- past. The factor f(beta, w) / f(beta', w) then replaces the ratio of the constants, and
-- the posterior stays invariant.
--
-- Watch the mean of beta in `summary`; the exact mean is 0.377. `inner_n` replaces the
-- exact simulation by n sweeps of a Markov chain that starts at the data. This
-- replacement is biased: the mean is 0.409 for `inner_1`, 0.389 for `inner_4` and 0.378
-- for `inner_16`. The traces of these arms show nothing wrong.

-- For 10 x 10 spins Z is known by a transfer matrix, so that `distance` can compare with
-- the exact posterior. `naive` leaves Z out of the ratio, and ends at the border of the
-- prior.

local cs = require "chainscope"

-- The panel `simulation` has the data, the last simulated grid, and log f of both at the
-- state and at the proposal. Means over three seeds are within 0.002. An exact draw costs
-- 3300 updates on average; sixteen sweeps cost 3200 updates. In `naive` a larger beta
-- always has a larger f, whatever the data. `chainscope check` detects this error: the
-- ratio of `naive` is not that of the density, and more of its steps go in one direction
-- than back.
local step = 0.12
local function inner(n) return cs.kernel.exchange { step = step, inner = n } end

local naive = cs.kernel {
  params = { step = step },
  propose = function(x, _, draw, params) return { x[1] + params.step * draw:normal() } end,
  log_ratio = function(x, y, _, _, _, target) return target:log_prior(y) - target:log_prior(x) end,
}

return cs.scenario {
  title  = "Doubly intractable",
  shows  = "A constant that cannot be computed, and a chain that needs only simulations",
  source = "auxiliary, algorithm 4; Murray, Ghahramani and MacKay 2006; Liang 2010",

  target = cs.target.ising_parameter { rows = 10, truth = { 0.39 }, seed = 5, low = { 0 }, high = { 0.6 } },
  chains = 16, seed = 17, start = { 0.3 },
  arms   = {
    { name = "exact", kernel = cs.kernel.exchange { step = step } },
    { name = "inner_1", kernel = inner(1) },
    { name = "inner_4", kernel = inner(4) },
    { name = "inner_16", kernel = inner(16) },
    { name = "naive", kernel = naive },
  },
  budget = { steps = 3000 },
  full   = { budget = { steps = 20000 } },
  warmup = 20,
  screen = { "lesson", { "simulation", arm = "exact" }, { "trace", quantity = "beta" }, "distance", "summary" },

  claims = {
    { arm = "exact", stat = "ks", at_most = 0.04 },
    { arm = "exact", stat = "mean", of = "beta", near = 0.3765, within = 0.006 },
    { arm = "inner_1", stat = "mean", of = "beta", less_than = "exact", at_least = 0.02, note = "biased" },
    { arm = "inner_1", stat = "ks", at_least = 0.15 },
    { arm = "inner_4", stat = "ks", less_than = "inner_1", at_most = -0.05 },
    { arm = "inner_4", stat = "mean", of = "beta", less_than = "exact", at_least = 0.005, note = "less biased" },
    { arm = "inner_16", stat = "mean", of = "beta", less_than = "exact", near = 0.001, within = 0.007 },
    { arm = "naive", stat = "mean", of = "beta", at_least = 0.55, note = "at the border, 0.6" },
  },
}
