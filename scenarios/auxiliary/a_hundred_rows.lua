-- A step that looks at a hundred rows of a hundred thousand.
--
-- The mean of normal data in two columns, equally likely in a square beforehand;
-- the likelihood is tempered, so that the answer is about as wide as the square.
-- A step of MALA evaluates all 100,000 rows. One of `hundred`, Poisson-MALA,
-- draws a Poisson number of them, 100 in the mean, and never sees the others.
-- Both leave the same posterior invariant, exactly.
--
-- The trick is a number more for each row. A row whose term lies between low and
-- low + M gets a count from a Poisson distribution whose rate is a constant
-- plus how far the term is above low. Given the counts, the posterior is a product
-- over the rows that were counted; all others, whose count is zero, have left the
-- sum. Nearly all counts are zero, and drawing them takes no look at the rows:
-- candidates are drawn by their M, which is known beforehand, and each is kept
-- with a chance that needs that one row's term. The panel `rows` shows both, those
-- drawn and those kept, step by step.
--
-- For the four million rows that each chain may touch here MALA makes 38
-- steps, `hundred` 20,000. A step of the latter is as good as one of MALA's,
-- but for a little: 0.63 of them are accepted, of MALA's 0.65. So the number of
-- steps decides, and the distance from the exact answer (panel `distance`) falls
-- from 0.06 to 0.003. The price is that L, the sum of all M, must be known and
-- not large: a step draws at least L rows, 10.9 here. loose_bound.lua is of that.
--
-- Why then a hundred, if 11 do? They need not: lambda.lua.
local cs = require "chainscope"

return cs.scenario {
  title  = "A hundred rows",
  shows  = "Accepting by a hundred rows of 100,000, and yet the posterior of all of them",
  source = "auxiliary, section 3 and algorithm 2",

  target = cs.target.truncated_gaussian { rows = 100000, dim = 2, beta = 1e-5, box = 2 },
  chains = 8, seed = 17,
  arms   = {
    mala    = cs.kernel.mala { step = 1.1 },
    hundred = cs.kernel.poisson_mala { step = 1.1, lambda = 0.75 },
  },
  budget = { data_terms = 4e6, each = "chain" },
  warmup = 2,
  screen = { "lesson", { "rows", arm = "hundred" }, { "trace", of = "x.1" }, "distance", "summary" },

  claims = {
    { arm = "hundred", stat = "rows_drawn", near = 100, within = 3 },
    { arm = "hundred", stat = "data_terms", at_most = 210, note = "the rows that it keeps are evaluated again" },
    { arm = "hundred", stat = "acceptance", near = 0.63, within = 0.02 },
    { arm = "mala", stat = "acceptance", near = 0.64, within = 0.2 },
    { arm = "mala", stat = "ess", of = "x.1", at_most = 400 },
    { arm = "hundred", stat = "ess", of = "x.1", at_least = 30000 },
    { arm = "hundred", stat = "ks", at_most = 0.015 },
    { arm = "hundred", stat = "sd", of = "x.1", near = 0.879, within = 0.01 },
  },
}
