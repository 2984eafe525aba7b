-- A posterior whose normalising constant nobody can compute.
--
-- An Ising model's data are a grid of spins y, p(y | beta) = f(beta, y) / Z(beta), with
-- f = exp(beta times the sum over neighbours). Z(beta) is a sum over 2^100 grids, and
-- changes with beta: the accept step of any kernel seen so far would need it.
--
-- `exact` never does. At each proposal it simulates a grid w there, exactly, by
-- coupling from the past, and f(beta, w) / f(beta', w) stands in for the ratio of both
-- constants (panel `simulation`: the data, the grid simulated last, log f of both at
-- the state and at the proposal). It is algorithm 4 of the paper, and leaves the
-- posterior invariant though it never evaluates it. Here it can be seen that it does:
-- on 10 x 10 spins Z is known after all, by a transfer matrix (panel `distance`).
--
-- Where no exact simulation is known, people run a chain for it. `inner_1` makes one
-- sweep there and back from the data observed, `inner_4` four, `inner_16` sixteen.
-- They run as well, and nothing in their traces shows that the first says a mean of
-- 0.409 for 0.377, the second 0.389, the third 0.378 (three seeds, within 0.002). An
-- exact draw costs 3300 updates in the mean, sixteen sweeps 3200.
--
-- `naive` leaves Z out. Then the larger beta, the larger f: it ends at the border of
-- the prior, whatever the data. `chainscope check` finds it out: its ratio is not that
-- of the density, and more of its steps go one way than back.
local cs = require "chainscope"

local step = 0.12
local function inner(n) return cs.kernel.exchange { step = step, inner = n } end

local naive = cs.kernel {
  params = { step = step },
  propose = function(x, _, draw, params) return { x[1] + params.step * draw:normal() } end,
  log_ratio = function(x, y, _, _, _, target) return target:log_prior(y) - target:log_prior(x) end,
}

return cs.scenario {
  title  = "Doubly intractable",
  shows  = "A constant that nobody can compute, and a chain that needs only simulations",
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
  screen = { "lesson", { "simulation", arm = "exact" }, { "trace", of = "beta" }, "distance", "summary" },

  claims = {
    { arm = "exact", stat = "ks", at_most = 0.04 },
    { arm = "exact", stat = "mean", of = "beta", near = 0.3765, within = 0.006 },
    { arm = "inner_1", stat = "mean", of = "beta", less = "exact", at_least = 0.02, note = "biased" },
    { arm = "inner_1", stat = "ks", at_least = 0.15 },
    { arm = "inner_4", stat = "ks", less = "inner_1", at_most = -0.05 },
    { arm = "inner_4", stat = "mean", of = "beta", less = "exact", at_least = 0.005, note = "less so" },
    { arm = "inner_16", stat = "mean", of = "beta", less = "exact", near = 0.001, within = 0.007 },
    { arm = "naive", stat = "mean", of = "beta", at_least = 0.55, note = "at the border, 0.6" },
  },
}
