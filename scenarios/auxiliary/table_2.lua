-- Effective draws per second: a regression on 100,000 rows.
--
-- The target is that of figure_1.lua. Each kernel has the step that is best in table 5
-- of the auxiliary paper; its acceptance is 0.25 for random walks, 0.55 for kernels
-- with gradients, and 0.4 for HMC (Hamiltonian Monte Carlo). Each claim states the
-- ratio of two arms' effective draws at their worst, median or best coordinate, per
-- million rows or (in the full setting) per second.
--
-- The minibatch kernel Poisson-MALA has 12.5 +- 0.6 times the effective draws per second
-- of PoissonMH (paper 4.9), and Poisson-Barker 5.4 +- 0.2 times those of PoissonMH (2.7).
-- The paper states "nearly or more than 100 times the performance of full-batch methods".
-- Poisson-MALA has 117 times the draws of MALA per row, but only 12.5 times per second.

-- Per second the lead is small because a drawn row costs far more time than a row of a
-- full pass.

local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

-- Per second PoissonMH has 1.01 +- 0.07 times the effective draws of MALA (20 times in
-- the paper). A step of Poisson-MALA evaluates 810 rows instead of 100,000. It takes 1/13
-- of the time, not 1/124, because a full pass reads rows in order, eight at once. With a
-- slower pass the paper's ratios would result. HMC has a tenth of MALA's effective draws
-- per row, because its steps are too long at an acceptance of 0.4. With steps of 0.1
-- instead of 0.625, accepted at 0.98, HMC has over fifteen times that number (on 10,000
-- rows).
return cs.scenario {
  title  = "Effective draws per second: a regression",
  shows  = "A gradient helps more than in the paper, a minibatch less, since drawn rows are slow",
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
