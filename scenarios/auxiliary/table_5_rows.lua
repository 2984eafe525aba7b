-- Three acceptances, all rows: a regression.
--
-- In table_5.lua a tenth of the rows has weight ten, which makes no difference to
-- minibatch kernels but makes full batches cheap. Here the full setting has the paper's
-- 100,000 rows: the ratio of effective draws of a minibatch kernel and its full batch,
-- per row; the paper's table is per second.
--
-- At 0.25, 0.4 and 0.55 Poisson-MALA has 131 +- 50, 122 +- 20 and 114 +- 7 times the
-- draws of MALA (97, 93 and 96 per second in the paper), Poisson-Barker 111 +- 20, 113 +-
-- 10 and 123 +- 14 times Barker's (93, 92, 89), PoissonMH 152 +- 58, 125 +- 33 and 115 +-
-- 12 times the random walk's (48, 48, 45), and MALA 5.0 +- 1.4, 8.2 +- 1.0 and 15.8 +-
-- 1.9 times those of HMC with ten leapfrog steps (2.9, 4.8, 5.7).
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

local names = { "mh", "mala", "barker", "hmc", "poisson_mh", "poisson_barker", "poisson_mala" }
local arms = tall.all_arms("regression", names, { lambda = 0.01 })
local claims = tall.claims_by_rate(5, {
  { "poisson_mala", "mala" },
  { "poisson_barker", "barker" },
  { "poisson_mh", "mh" },
  { "mala", "hmc" },
})
claims[#claims + 1] = { arm = "poisson_mala_55", stat = "rows_drawn", near = 410, within = 20 }

return cs.scenario {
  title  = "Three acceptances, all rows: a regression",
  shows  = "A minibatch of 410 of 100,000 rows is a hundred times as efficient, at short and long steps",
  source = "auxiliary, appendix G.2, table 5",

  target = tall.regression(10000, 10, 100000),
  chains = 8, seed = 17, start = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
  arms   = arms,
  budget = { steps = 60 },
  warmup = 30,
  printed = settings.regression_rates,
  setting = "by rows, not by time",
  full   = { target = tall.regression(100000), budget = { steps = 1000 } },
  screen = { "lesson", "acceptance", { "rows", arm = "poisson_mala_55" }, "summary" },

  claims = claims,
}
