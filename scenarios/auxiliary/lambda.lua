-- Lambda: from the fewest rows to Metropolis.
--
-- A step of PoissonMH draws L + lambda L^2 rows in the mean. L is fixed by the
-- bounds, 159 here; lambda is free. The larger it is, the less do the counts say
-- of where the chain was, and the less does the ratio of a proposal vary: with all
-- the rows and more it is that of Metropolis, MALA here.
--
-- The paper takes lambda = 0.01 for its regression, 410 rows a step, and its
-- bounds on the spectral gap shrink as exp(-1 / lambda): at 0.001 they promise
-- nothing. Measured, nothing much happens. With `least`, lambda of next to nothing,
-- 0.52 of the proposals are accepted; with `printed` 0.59, with `tenth`, 2670 rows,
-- 0.61, with `most`, 12,700 rows, 0.62, and MALA, 100,000 rows, has 0.62. So per
-- row `least` is the best: half the rows of `printed`, a 330th of MALA's.
--
-- Why: a ratio's noise comes from counted rows whose term falls to near its lower
-- bound. In a posterior rows are seldom there; it prefers that they are not.
-- A larger lambda is an insurance against rows that are, not a need.
--
-- Try: poisson_mh, whose ratio is as noisy, or a step that is twice as long.
local cs = require "chainscope"

local function poisson(lambda) return cs.kernel.poisson_mala { step = 0.5, lambda = lambda } end

return cs.scenario {
  title  = "Lambda",
  shows  = "More rows a step bring a few more acceptances, and cost more than they bring",
  source = "auxiliary, algorithm 5, proposition 4 and section 5.2",

  target = cs.target.robust_regression { rows = 100000, dim = 10, beta = 1e-4, radius = 15 },
  chains = 8, seed = 17, start = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
  arms   = {
    { name = "least", kernel = poisson(1e-9) },
    { name = "printed", kernel = poisson(0.01) },
    { name = "tenth", kernel = poisson(0.1) },
    { name = "most", kernel = poisson(0.5) },
    { name = "mala", kernel = cs.kernel.mala { step = 0.5 } },
  },
  budget = { steps = 100 },
  warmup = 20,
  screen = { "lesson", { "rows", arm = "printed" }, "acceptance", { "trace", of = "b.1" }, "summary" },

  claims = {
    { arm = "least", stat = "rows_drawn", near = 159, within = 3 },
    { arm = "printed", stat = "rows_drawn", near = 410, within = 5 },
    { arm = "tenth", stat = "rows_drawn", near = 2671, within = 30 },
    { arm = "most", stat = "rows_drawn", near = 12730, within = 130 },
    { arm = "least", stat = "acceptance", at_least = 0.3, note = "0.52 in the long run" },
    { arm = "mala", stat = "acceptance", at_most = 0.75, note = "0.62 in the long run" },
    { arm = "printed", stat = "acceptance", less = "mala", near = -0.03, within = 0.15 },
    { arm = "most", stat = "acceptance", less = "mala", near = 0, within = 0.05 },
    { arm = "mala", stat = "data_terms", over = "least", at_least = 300 },
    { arm = "most", stat = "data_terms", over = "least", at_least = 75 },
    { arm = "printed", stat = "data_terms", over = "least", at_least = 2.5 },
  },
}
