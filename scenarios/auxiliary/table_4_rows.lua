-- Three acceptances, all rows: a truncated Gaussian.
--
-- In table_4.lua a tenth of the rows has weight ten, which makes no difference to
-- minibatch kernels but makes full batches cheap. Here the full setting has the paper's
-- 100,000 rows: the ratio of effective draws of a minibatch kernel and its full batch,
-- per row; the paper's table is per second.
--
-- At 0.25, 0.4 and 0.55 Poisson-MALA has 7 +- 2, 9 +- 3 and 8.6 +- 0.4 times the draws of
-- MALA (9.3, 8.1 and 8.7 per second in the paper), Poisson-Barker 9 +- 1, 9 +- 2 and 9 +-
-- 1 times Barker's (7.7, 7.5, 7.6), PoissonMH 9 +- 4, 10 +- 7 and 7 +- 2 times the random
-- walk's (8.3, 9.2, 8.0). A step draws 5858 rows of 100,000 and is worth half of a full
-- one, at any length.
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

local names = { "mh", "mala", "barker", "poisson_mh", "poisson_barker", "poisson_mala" }
local arms = tall.all_arms("gaussian", names, { lambda = 0.0005 })
local claims = tall.claims_by_rate(4, {
  { "poisson_mala", "mala" },
  { "poisson_barker", "barker" },
  { "poisson_mh", "mh" },
})
claims[#claims + 1] = { arm = "poisson_mala_55", stat = "rows_drawn", near = 5854, within = 60 }

return cs.scenario {
  title  = "Three acceptances, all rows: a truncated Gaussian",
  shows  = "A minibatch saves about the same share of 100,000 rows at short and long steps",
  source = "auxiliary, appendix G.1, table 4",

  target = tall.gaussian("eigenvalue", 10000),
  chains = 8, seed = 17, start = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
  arms   = arms,
  budget = { steps = 60 },
  warmup = 30,
  printed = settings.gaussian_rates,
  setting = "by rows, not by time",
  full   = { target = tall.gaussian("eigenvalue", 100000), budget = { steps = 800 } },
  screen = { "lesson", "acceptance", { "rows", arm = "poisson_mala_55" }, "summary" },

  claims = claims,
}
