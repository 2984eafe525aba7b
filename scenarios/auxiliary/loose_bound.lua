-- A bound that is true, and of no use.
--
-- The posterior of a_hundred_rows, but the means may lie anywhere from -300 to
-- 300, for nobody wanted to say more. The draws are the same, as far as anyone
-- can see: they never go near 300. But a row's term is bounded over the whole
-- region, and its bound grows with the square of it: the sum of all, L, is 135,579
-- in place of 11. A Poisson number of rows of that mean is drawn at each step,
-- more than there are, and nearly all are kept and evaluated again: four times the
-- work of MALA, which evaluates each row once.
--
-- It is exact all the same. The program says it before the run, expected rows
-- beside the number that there is, and in the summary. The mean number of rows is
-- L + lambda L^2: no lambda makes it less than L.
--
-- What mends it is to know more. With the region from -30 to 30 L is 1409, with -10
-- to 10 170, with -3 to 3 20: tight_bound.lua.
local cs = require "chainscope"

return cs.scenario {
  title  = "A loose bound",
  shows  = "Rows are drawn by their bounds: a wide region draws more rows than there are",
  source = "auxiliary, sections 3 and 6",

  target = cs.target.truncated_gaussian { rows = 100000, dim = 2, beta = 1e-5, box = 300 },
  chains = 4, seed = 17, start = { 0, 0 },
  arms   = {
    mala    = cs.kernel.mala { step = 1.1 },
    poisson = cs.kernel.poisson_mala { step = 1.1, lambda = 1e-12 },
  },
  budget = { steps = 10 },
  warmup = 0,
  screen = { "lesson", { "rows", arm = "poisson" }, "state", "summary" },

  claims = {
    { arm = "poisson", stat = "rows_drawn", near = 135579, within = 1000 },
    { arm = "poisson", stat = "rows_kept", at_least = 134500 },
    { arm = "poisson", stat = "data_terms", over = "mala", at_least = 3, note = "worse than all rows" },
  },
}
