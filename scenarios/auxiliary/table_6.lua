-- Effective draws a second: twice the rows.
--
-- What table_2.lua samples, of 200,000 rows in the full setting: the posterior is narrower
-- by the square root of 2, and so are the steps. Here, in the quick one, there are 20,000, each of
-- which counts for ten.
--
-- With the rows L doubles, and lambda = 0.01 L^2 is four times as much: a step draws 1323 rows for
-- 410. So twice the data make a full batch twice as dear, and these minibatches three
-- times: Poisson-MALA has 86 +- 3 times the effective draws of MALA for a million rows (117 of
-- 100,000), and 5.1 +- 0.2 times a second (12.5), at two seeds. The paper
-- has 71 and 96. Its ratio to PoissonMH, 7.0 +- 0.2 a second, is printed as 4.3.
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

return cs.scenario {
  title  = "Effective draws a second: twice the rows",
  shows  = "Lambda grows with the square of the rows: twice the data narrow the lead of minibatches",
  source = "auxiliary, appendix G.2, table 6",

  target = tall.regression(20000, 10, 200000),
  chains = 8, seed = 17, start = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
  arms   = tall.arms("regression", {
    { "mh", 25 }, { "mala", 55 }, { "barker", 55 }, { "hmc", 40 },
    { "poisson_mh", 25 }, { "poisson_barker", 55 }, { "poisson_mala", 55 } }, { lambda = 0.01, scale = math.sqrt(0.5), leapfrogs = 5 }),
  budget = { steps = 500 },
  warmup = 50,
  printed = settings.twice_with_hmc,
  setting = "rows that count for ten: full batches cost a tenth",
  full   = { target = tall.regression(200000), budget = { steps = 2000 }, seeds = 3, setting = "the paper's are 100 chains of 2000 (HMC) to 40,000 steps (PoissonMH)" },
  screen = { "lesson", { "rows", arm = "poisson_mala" }, { "trace", of = "b.1" }, "acceptance", "summary" },

  claims = tall.claims(6, {
    { "poisson_mala", "poisson_mh", full = true, ranks = { median = true }, holds = "other size", note = "7.0 +- 0.2" },
    { "poisson_barker", "poisson_mh", full = true, ranks = { median = true } },
    { "poisson_mala", "mala", ranks = { median = true }, holds = "other size", note = "5.1", rows_note = "86 +- 3" },
    { "poisson_barker", "mala", ranks = { median = true }, holds = "other size", note = "3.4" },
    { "poisson_mh", "mala", full = true, ranks = { median = true }, holds = false, note = "0.73 a second" },
    { "mala", "hmc", full = true, ranks = { median = true } },
  }),
}
