-- How much does a minibatch gain, at three acceptance rates?
--
-- The target is a truncated Gaussian. The full setting uses all 100,000 rows. table_4.lua
-- uses a tenth of the rows, each with weight ten. Minibatch kernels are then unchanged,
-- and full-batch kernels (on all rows) cost a tenth. Each claim states the ratio of the
-- effective draws per row read of a minibatch kernel to those of the same kernel on full
-- batches.
--
-- Poisson-MALA has 7 +- 2 times the effective draws of MALA at an acceptance of 0.25, 9
-- +- 3 times at 0.4, and 8.6 +- 0.4 times at 0.55. For Poisson-Barker and Barker the
-- ratio is 9 at each acceptance, with an error of 1 or 2. A minibatch step draws 5858 of
-- 100,000 rows. At each step size it gives half the effective draws of a full-batch step.

-- The ratios per row, with the ratios per second of the auxiliary paper in brackets:
--     acceptance              0.25            0.4             0.55
--     Poisson-MALA : MALA     7 +- 2 (9.3)    9 +- 3 (8.1)    8.6 +- 0.4 (8.7)
--     Poisson-Barker : Barker 9 +- 1 (7.7)    9 +- 2 (7.5)    9 +- 1 (7.6)
--     PoissonMH : random walk 9 +- 4 (8.3)    10 +- 7 (9.2)   7 +- 2 (8.0)

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
  shows  = "A minibatch saves about the same share of 100,000 rows with short and long steps",
  source = "auxiliary, appendix G.1, table 4",

  target = tall.gaussian("eigenvalue", 10000),
  chains = 8, seed = 17, start = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
  arms   = arms,
  budget = { steps = 60 },
  warmup = 30,
  printed = settings.gaussian_rates,
  setting = "compared by rows, not by time",
  full   = { target = tall.gaussian("eigenvalue", 100000), budget = { steps = 800 } },
  screen = { "lesson", "acceptance", { "rows", arm = "poisson_mala_55" }, "summary" },

  claims = claims,
}
