-- An exact sampler that evaluates about 100 of 100,000 rows of data per step.
--
-- The target is the posterior of the mean of normal data in two columns, with a uniform
-- prior on a square and a tempered likelihood. MALA (the Metropolis-adjusted Langevin
-- algorithm) evaluates all 100,000 rows per step. `hundred` (Poisson-MALA) draws a
-- Poisson number of rows, 100 on average, and evaluates only these rows. Both kernels
-- leave the same posterior invariant.
--
-- Watch `rows` (drawn and kept rows per step) and `distance` (from the exact posterior).
-- With four million rows per chain, MALA makes 38 steps and `hundred` makes 20,000. Each
-- step of `hundred` is nearly as good as a step of MALA: the acceptances are 0.63 and
-- 0.65. So the final distance is 0.003 for `hundred` and 0.06 for MALA.

-- The sum L of the bounds of all rows must be known and small (see loose_bound.lua).
-- Even 11 rows per step are enough: see lambda.lua.

local cs = require "chainscope"

-- The method: let low and low + M bound the term of a row. The row gets a count from a
-- Poisson distribution, whose rate is a constant plus the height of the term above low.
-- Given the counts, the posterior is a product over the rows with a nonzero count; all
-- other rows drop out. Nearly all counts are zero, and zero counts are drawn without
-- reading a row. Candidate rows are drawn in proportion to M, which is known beforehand.
-- Each candidate is kept with a probability that needs only the term of its row. A step
-- draws at least L rows on average, 10.9 here. The tempered likelihood makes the
-- posterior about as wide as the square.
return cs.scenario {
  title  = "A hundred rows",
  shows  = "A step uses a hundred rows of 100,000, and the posterior is still exact",
  source = "auxiliary, section 3 and algorithm 2",

  target = cs.target.truncated_gaussian { rows = 100000, dim = 2, beta = 1e-5, box = 2 },
  chains = 8, seed = 17,
  arms   = {
    mala    = cs.kernel.mala { step = 1.1 },
    hundred = cs.kernel.poisson_mala { step = 1.1, lambda = 0.75 },
  },
  budget = { data_terms = 4e6, each = "chain" },
  warmup = 2,
  screen = { "lesson", { "rows", arm = "hundred" }, { "trace", quantity = "x.1" }, "distance", "summary" },

  claims = {
    { arm = "hundred", stat = "rows_drawn", near = 100, within = 3 },
    { arm = "hundred", stat = "data_terms", at_most = 210, note = "kept rows are evaluated twice" },
    { arm = "hundred", stat = "acceptance", near = 0.63, within = 0.02 },
    { arm = "mala", stat = "acceptance", near = 0.64, within = 0.2 },
    { arm = "mala", stat = "ess", of = "x.1", at_most = 400 },
    { arm = "hundred", stat = "ess", of = "x.1", at_least = 30000 },
    { arm = "hundred", stat = "ks", at_most = 0.015 },
    { arm = "hundred", stat = "sd", of = "x.1", near = 0.879, within = 0.01 },
  },
}
