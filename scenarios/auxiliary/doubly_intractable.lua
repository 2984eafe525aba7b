-- A posterior whose normalising constant cannot be computed.
--
-- For an Ising model with grid y, p(y | beta) = f(beta, y) / Z(beta), and Z(beta), a sum
-- over 2^100 grids, changes with beta. An ordinary accept step would need it. `exact`
-- (the exchange algorithm) simulates a grid w at each proposal by coupling from the past,
-- and f(beta, w) / f(beta', w) replaces the ratio of the constants. It leaves the
-- posterior invariant; on 10 x 10 spins Z is known by a transfer matrix, and `distance`
-- compares.
--
-- Watch the mean of beta, exactly 0.377. Replacing the exact draw by an inner chain of n
-- sweeps from the data is biased: `inner_1` has 0.409, `inner_4` 0.389, `inner_16` 0.378,
-- and their traces look fine. `naive` leaves Z out and ends at the border of the prior.
local cs = require "chainscope"

-- The panel `simulation` has the data, the last simulated grid, and log f of both at the
-- state and the proposal. Means over three seeds are within 0.002. An exact draw costs
-- 3300 updates on average, sixteen sweeps 3200. In `naive` a larger beta always has a
-- larger f, whatever the data. `chainscope check` detects it: its ratio is not that of
-- the density, and more of its steps go one way than back.
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
