-- Effective draws per second with twice the rows: minibatches lose part of their lead.
--
-- The target is that of table_2.lua with 200,000 rows in the full setting; the quick
-- setting has 20,000 rows with weight ten. The posterior and the steps shrink by a factor
-- of sqrt(2). L, the sum of the rows' bounds, doubles. So the parameter lambda = 0.01 L^2
-- is four times as large, and a minibatch step draws 1323 rows instead of 410. The cost
-- of a full batch doubles, and that of a minibatch triples.
--
-- With two seeds, the minibatch kernel Poisson-MALA has 86 +- 3 times the effective draws
-- of MALA (all rows) per row, and 5.1 +- 0.2 times per second. (100,000 rows: 117 times
-- per row, 12.5 times per second.) Per second Poisson-MALA has 7.0 +- 0.2 times the
-- effective draws of PoissonMH.

-- The auxiliary paper has 71 for the ratio of Poisson-MALA to MALA per second with
-- 200,000 rows, and 96 with 100,000 rows. For the ratio of Poisson-MALA to PoissonMH it
-- has 4.3.

local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

return cs.scenario {
  title  = "Effective draws per second: twice the rows",
  shows  = "Lambda grows with the square of the rows, so twice the data reduce the advantage of minibatches",
  source = "auxiliary, appendix G.2, table 6",

  target = tall.regression(20000, 10, 200000),
  chains = 8, seed = 17, start = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
  arms   = tall.arms("regression", {
    { "mh", 25 }, { "mala", 55 }, { "barker", 55 }, { "hmc", 40 },
    { "poisson_mh", 25 }, { "poisson_barker", 55 }, { "poisson_mala", 55 } }, { lambda = 0.01, scale = math.sqrt(0.5), leapfrogs = 5 }),
  budget = { steps = 500 },
  warmup = 50,
  printed = settings.twice_with_hmc,
  setting = "rows have weight ten, so full batches cost a tenth",
  full   = { target = tall.regression(200000), budget = { steps = 2000 }, seeds = 3, setting = "the paper has 100 chains of 2000 (HMC) to 40,000 steps (PoissonMH)" },
  screen = { "lesson", { "rows", arm = "poisson_mala" }, { "trace", quantity = "b.1" }, "acceptance", "summary" },

  claims = tall.claims(6, {
    { "poisson_mala", "poisson_mh", full = true, ranks = { median = true }, holds = "other size", note = "7.0 +- 0.2" },
    { "poisson_barker", "poisson_mh", full = true, ranks = { median = true } },
    { "poisson_mala", "mala", ranks = { median = true }, holds = "other size", note = "5.1", rows_note = "86 +- 3" },
    { "poisson_barker", "mala", ranks = { median = true }, holds = "other size", note = "3.4" },
    { "poisson_mh", "mala", full = true, ranks = { median = true }, holds = false, note = "0.73 per second" },
    { "mala", "hmc", full = true, ranks = { median = true } },
  }),
}
