-- Effective draws a second: a regression of 100,000 rows.
--
-- What figure_1.lua samples, each kernel with the step that was best for it in the paper's
-- table 5: random walks accepted at 0.25, those with gradients at 0.55, HMC at 0.4. Counted
-- are effective draws of the coordinate that has the fewest, of the median one, of that
-- with most, for a million rows and, in the full setting, for a second of a processor: ratios
-- of two arms in one run, since seconds are of this machine.
--
-- Poisson-MALA has 12.5 +- 0.6 times the effective draws a second of PoissonMH, where the paper
-- has 4.9, and Poisson-Barker 5.4 +- 0.2 for 2.7.
--
-- "Nearly or more than 100 times the performance of full-batch methods" is true of rows, 117
-- times MALA's a million. Of seconds it is 12.5, and PoissonMH has as many as MALA (1.01
-- +- 0.07; the paper 20 times as many). A step of Poisson-MALA looks at 810 rows for 100,000, and takes a
-- 13th of the time, not a 124th: what a pass reads in order, eight rows at once, costs
-- far less a row than what is drawn here and there. Whoever has a slow pass has the
-- paper's figures.
--
-- HMC has a tenth of MALA's a row: accepted at 0.4 its steps are too long. With steps of 0.1
-- for 0.625, accepted at 0.98, it has over fifteen times as many (of 10,000 rows).
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

return cs.scenario {
  title  = "Effective draws a second: a regression",
  shows  = "A gradient is worth more than printed, a minibatch less: a drawn row costs ten of a pass",
  source = "auxiliary, section 5.2, table 2",

  target = tall.regression(100000),
  chains = 8, seed = 17, start = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
  arms   = tall.arms("regression", {
    { "mh", 25 }, { "mala", 55 }, { "barker", 55 }, { "hmc", 40 },
    { "poisson_mh", 25 }, { "poisson_barker", 55 }, { "poisson_mala", 55 } }, { lambda = 0.01 }),
  budget = { steps = 120 },
  warmup = 30,
  printed = settings.regression,
  setting = "the paper's are 2000 (HMC) to 40,000 steps (PoissonMH)",
  full   = { budget = { steps = 2000 }, seeds = 3, setting = "the paper's are 2000 (HMC) to 40,000 steps (PoissonMH)" },
  screen = { "lesson", { "rows", arm = "poisson_mala" }, { "trace", of = "b.1" }, "acceptance", "summary" },

  claims = tall.claims(2, {
    { "poisson_mala", "poisson_mh", full = true, holds = "other size", rows_hold = "other size",
      note = "12.5 to 17.5", rows_note = "7.8 +- 0.2 of the median" },
    { "poisson_barker", "poisson_mh", full = true, holds = "other size", note = "5.4 to 9",
      rows_hold = { min = "other size", median = "other size", max = "cannot tell" }, rows_note = "4.3 +- 0.1 of the median" },
    { "poisson_mala", "mala", holds = "other size", note = "9.8 to 12.5", rows_note = "117 +- 1" },
    { "poisson_barker", "mala", holds = "other size", note = "5.1 +- 0.1", rows_note = "65 +- 1" },
    { "poisson_mh", "mala", full = true, ranks = { median = true }, holds = "cannot tell",
      note = "1.01 +- 0.07 alone on its machine, 0.56 +- 0.02 beside other work", rows_note = "15.0 +- 0.2" },
    { "mala", "hmc", full = true, ranks = { median = true }, note = "7.9", rows_hold = "other size", rows_note = "9.6" },
  }),
}
