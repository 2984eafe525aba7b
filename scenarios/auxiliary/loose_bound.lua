-- A bound that is correct but useless.
--
-- The posterior is that of a_hundred_rows.lua (two means), but each mean may be anywhere
-- from -300 to 300. The draws never come near 300. But a row's term is bounded over the
-- whole region, and this bound grows with the square of the region's size. The sum L of
-- all bounds is 135,579 instead of 11. Each step draws a Poisson number of rows with mean
-- L, more than the table has, and evaluates nearly all of them twice. The sampler is
-- still exact, but its work is four times that of MALA, which uses all rows.
--
-- Watch `rows`. The program also reports the expected number of rows before the run and
-- in the summary. No lambda helps, since the mean number is L + lambda L^2. A smaller
-- region helps: L is 1409 on [-30, 30]^2, 170 on [-10, 10]^2 and 20 on [-3, 3]^2.
local cs = require "chainscope"

return cs.scenario {
  title  = "A loose bound",
  shows  = "Rows are drawn by their bounds: for a wide region a step draws more rows than the table has",
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
    { arm = "poisson", stat = "data_terms", ratio_to = "mala", at_least = 3, note = "more work than with all rows" },
  },
}
