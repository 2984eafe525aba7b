-- Lambda of PoissonMH: from the fewest rows to Metropolis.
--
-- A step of PoissonMH draws L + lambda L^2 rows on average. L = 159 is fixed by the
-- bounds; lambda is free. The larger it is, the less the ratio of a proposal varies; in
-- the limit it is that of the full batch, MALA here. The paper takes lambda = 0.01 (410
-- rows per step), and its bounds on the spectral gap shrink as exp(-1 / lambda).
--
-- Watch `rows` and `acceptance`: lambda hardly matters. `least` (near 0) accepts 0.52,
-- `printed` 0.59, `tenth` (2670 rows) 0.61, `most` (12,700 rows) 0.62, and MALA on
-- 100,000 rows 0.62. So per row `least` is best, with half the rows of `printed` and a
-- 330th of MALA's. Try poisson_mh, whose ratio is as noisy, or a step twice as long.
local cs = require "chainscope"

-- The noise of a ratio comes from counted rows whose terms fall close to their lower
-- bounds. In a posterior few rows are there. A larger lambda protects against such rows
-- but is not necessary here. At lambda = 0.001 the paper's bounds guarantee nothing.
local function poisson(lambda) return cs.kernel.poisson_mala { step = 0.5, lambda = lambda } end

return cs.scenario {
  title  = "Lambda",
  shows  = "More rows per step bring a few more acceptances, at a cost higher than the gain",
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
  screen = { "lesson", { "rows", arm = "printed" }, "acceptance", { "trace", quantity = "b.1" }, "summary" },

  claims = {
    { arm = "least", stat = "rows_drawn", near = 159, within = 3 },
    { arm = "printed", stat = "rows_drawn", near = 410, within = 5 },
    { arm = "tenth", stat = "rows_drawn", near = 2671, within = 30 },
    { arm = "most", stat = "rows_drawn", near = 12730, within = 130 },
    { arm = "least", stat = "acceptance", at_least = 0.3, note = "0.52 in the long run" },
    { arm = "mala", stat = "acceptance", at_most = 0.75, note = "0.62 in the long run" },
    { arm = "printed", stat = "acceptance", less_than = "mala", near = -0.03, within = 0.15 },
    { arm = "most", stat = "acceptance", less_than = "mala", near = 0, within = 0.05 },
    { arm = "mala", stat = "data_terms", ratio_to = "least", at_least = 300 },
    { arm = "most", stat = "data_terms", ratio_to = "least", at_least = 75 },
    { arm = "printed", stat = "data_terms", ratio_to = "least", at_least = 2.5 },
  },
}
