-- A step that evaluates a hundred rows of a hundred thousand, exactly.
--
-- The mean of normal data in two columns, with a uniform prior on a square and a tempered
-- likelihood. A step of MALA evaluates all 100,000 rows. A step of `hundred`
-- (Poisson-MALA) draws a Poisson number of rows, 100 on average, and evaluates only
-- those. Both leave the same posterior invariant, exactly.
--
-- Watch `rows`, the drawn and the kept rows per step, and `distance`. Each chain may
-- evaluate four million rows: 38 steps of MALA, 20,000 of `hundred`. One step is nearly
-- as good (acceptance 0.63 and 0.65), so the distance from the exact answer falls from
-- 0.06 to 0.003. The sum L of all bounds must be known and small (loose_bound.lua). Even
-- 11 rows are enough: lambda.lua.
local cs = require "chainscope"

-- The method: a row whose term is between low and low + M gets a count from a Poisson
-- distribution, whose rate is a constant plus the height of the term above low. Given the
-- counts, the posterior is a product over the rows with a nonzero count; all other rows
-- drop out. Nearly all counts are zero, and they are drawn without reading any row:
-- candidates are drawn by their M, known beforehand, and each is kept with a probability
-- that needs only that row's term. A step draws at least L rows on average, 10.9 here.
-- The tempered likelihood makes the posterior about as wide as the square.
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
