-- Effective draws per second: a regression on 100,000 rows.
--
-- The target of figure_1.lua, each kernel with its best step of the paper's table 5:
-- acceptance 0.25 for random walks, 0.55 with gradients, 0.4 for HMC. The claims compare
-- two arms in one run by effective draws of the worst, the median and the best
-- coordinate, per million rows and, in the full setting, per second of this machine.
--
-- Poisson-MALA has 12.5 +- 0.6 times the effective draws per second of PoissonMH (paper
-- 4.9), Poisson-Barker 5.4 +- 0.2 times (2.7). "Nearly or more than 100 times the
-- performance of full-batch methods" holds per row (117 times MALA's), not per second
-- (12.5 times): a drawn row costs far more than one of a full pass.
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

-- Per second PoissonMH has 1.01 +- 0.07 times the effective draws of MALA (the paper: 20
-- times). A step of Poisson-MALA evaluates 810 rows instead of 100,000 and takes
-- a 13th of the time, not a 124th: a full pass reads rows in order, eight at once. With a
-- slower pass the paper's figures would result. HMC has a tenth of MALA's effective draws
-- per row: at an acceptance of 0.4 its steps are too long. With steps of 0.1 instead of
-- 0.625, accepted at 0.98, it has over fifteen times that number (on 10,000 rows).
return cs.scenario {
  title  = "Effective draws per second: a regression",
  shows  = "A gradient helps more than printed, a minibatch less: a drawn row takes the time of ten in a full pass",
  source = "auxiliary, section 5.2, table 2",

  target = tall.regression(100000),
  chains = 8, seed = 17, start = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
  arms   = tall.arms("regression", {
    { "mh", 25 }, { "mala", 55 }, { "barker", 55 }, { "hmc", 40 },
    { "poisson_mh", 25 }, { "poisson_barker", 55 }, { "poisson_mala", 55 } }, { lambda = 0.01 }),
  budget = { steps = 120 },
  warmup = 30,
  printed = settings.regression,
  setting = "the paper has 2000 (HMC) to 40,000 steps (PoissonMH)",
  full   = { budget = { steps = 2000 }, seeds = 3, setting = "the paper has 2000 (HMC) to 40,000 steps (PoissonMH)" },
  screen = { "lesson", { "rows", arm = "poisson_mala" }, { "trace", quantity = "b.1" }, "acceptance", "summary" },

  claims = tall.claims(2, {
    { "poisson_mala", "poisson_mh", full = true, holds = "other size", rows_hold = "other size",
      note = "12.5 to 17.5", rows_note = "7.8 +- 0.2 for the median" },
    { "poisson_barker", "poisson_mh", full = true, holds = "other size", note = "5.4 to 9",
      rows_hold = { min = "other size", median = "other size", max = "cannot tell" }, rows_note = "4.3 +- 0.1 for the median" },
    { "poisson_mala", "mala", holds = "other size", note = "9.8 to 12.5", rows_note = "117 +- 1" },
    { "poisson_barker", "mala", holds = "other size", note = "5.1 +- 0.1", rows_note = "65 +- 1" },
    { "poisson_mh", "mala", full = true, ranks = { median = true }, holds = "cannot tell",
      note = "1.01 +- 0.07 on an idle machine, 0.56 +- 0.02 on a loaded one", rows_note = "15.0 +- 0.2" },
    { "mala", "hmc", full = true, ranks = { median = true }, note = "7.9", rows_hold = "other size", rows_note = "9.6" },
  }),
}
