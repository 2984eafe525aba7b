-- How much does a minibatch gain on a regression, at three acceptance rates?
--
-- The full setting uses all 100,000 rows. table_5.lua uses a tenth of the rows, each
-- with weight ten. This leaves minibatch kernels unchanged and reduces the cost of
-- full-batch kernels (on all rows) to a tenth. Each claim states the ratio of the
-- effective draws per row read of a minibatch kernel to those of the same kernel on
-- full batches.
--
-- Poisson-MALA has 131 +- 50 times the effective draws of MALA at an acceptance of
-- 0.25, 122 +- 20 times at 0.4, and 114 +- 7 times at 0.55. The auxiliary paper states
-- the ratios of the effective draws per second: 97 at 0.25, 93 at 0.4 and 96 at 0.55.

-- The ratios per row, with the ratios per second of the paper in brackets (HMC with ten
-- leapfrog steps):
--     acceptance              0.25             0.4              0.55
--     Poisson-MALA : MALA     131 +- 50 (97)   122 +- 20 (93)   114 +- 7 (96)
--     Poisson-Barker : Barker 111 +- 20 (93)   113 +- 10 (92)   123 +- 14 (89)
--     PoissonMH : random walk 152 +- 58 (48)   125 +- 33 (48)   115 +- 12 (45)
--     MALA : HMC              5.0 +- 1.4 (2.9) 8.2 +- 1.0 (4.8) 15.8 +- 1.9 (5.7)

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
  shows  = "A minibatch of 410 of 100,000 rows is a hundred times as efficient, with short and long steps",
  source = "auxiliary, appendix G.2, table 5",

  target = tall.regression(10000, 10, 100000),
  chains = 8, seed = 17, start = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
  arms   = arms,
  budget = { steps = 60 },
  warmup = 30,
  printed = settings.regression_rates,
  setting = "compared by rows, not by time",
  full   = { target = tall.regression(100000), budget = { steps = 1000 } },
  screen = { "lesson", "acceptance", { "rows", arm = "poisson_mala_55" }, "summary" },

  claims = claims,
}
