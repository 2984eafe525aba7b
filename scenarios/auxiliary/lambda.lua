-- The parameter lambda of PoissonMH: how many rows should a step draw?
--
-- PoissonMH and Poisson-MALA draw L + lambda L^2 rows per step on average. L, the sum of
-- the bounds of all rows, is 159 here; lambda can be chosen. The larger lambda is, the
-- less the acceptance ratio varies. As lambda grows, this ratio tends to that of MALA,
-- which uses all 100,000 rows. The auxiliary paper takes lambda = 0.01 (410 rows per
-- step); its bounds on the spectral gap shrink as exp(-1 / lambda).
--
-- Watch `rows` and `acceptance`: lambda hardly matters. The acceptance is 0.52 for
-- `least` (lambda near 0), 0.59 for `printed` (lambda 0.01), 0.61 for `tenth` (2670
-- rows), and 0.62 for `most` (12,700 rows) and for MALA. So `least` is the best per row:
-- it evaluates 1/330 of the rows of MALA, and less than half of the rows of `printed`.

-- Try poisson_mh, in which the acceptance ratio is as noisy as in Poisson-MALA. Or try
-- a step twice as long.

local cs = require "chainscope"

-- The noise of the acceptance ratio comes from drawn rows whose terms are close to their
-- lower bounds. Under the posterior only a few rows have such terms. A larger lambda
-- reduces the noise from these rows, but is not necessary here. At lambda = 0.001 the
-- paper's bounds guarantee nothing.
local function poisson(lambda) return cs.kernel.poisson_mala { step = 0.5, lambda = lambda } end

return cs.scenario {
  title  = "Lambda",
  shows  = "More rows per step raise the acceptance slightly, at a cost higher than the gain",
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
