-- Effective draws per second in 50 dimensions: a regression.
--
-- The target is that of table_2.lua with 50 coefficients b. The likelihood of 100,000
-- rows, to the power 0.0001, has the information of ten rows, too little for 50
-- coefficients. For large |b| the density falls as |b|^-50, as fast as the volume grows.
-- So only the ball of radius 15 confines the chains. The standard deviation of a
-- coefficient is 1.8; with ten coefficients it is 0.47. Steps that suit this width are
-- hardly ever accepted at the mode, so the steps used here were found by pilot runs.
--
-- Per second Poisson-MALA has 6.9 +- 0.8 times the effective draws of PoissonMH (paper
-- 7.3), and Poisson-Barker 5.4 +- 0.4 times those of PoissonMH (paper 3.2), with two
-- seeds. Per row Poisson-MALA has 4.5 times the draws of MALA (all rows).

-- The rows are a tenth of those of the auxiliary paper, with weight ten, so full batches
-- are not compared by time.

local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

local tuned = "to achieve target acceptance rates of 0.25, 0.4, and 0.55"
local claims = tall.claims(7, {
  { "poisson_mala", "poisson_mh", full = true, ranks = { median = true }, note = "6.9 per second, with two seeds" },
  { "poisson_barker", "poisson_mh", full = true, ranks = { median = true }, holds = "other size", note = "5.4 per second, with two seeds" },
  { "poisson_mala", "mala", full = true, ranks = { median = true }, rows_only = true, tenth = true },
  { "poisson_barker", "mala", full = true, ranks = { median = true }, rows_only = true, tenth = true },
  { "mala", "hmc", full = true, ranks = { median = true }, rows_only = true, tenth = true },
})
claims[#claims + 1] = { arm = "poisson_mala", stat = "rows_drawn", near = 603, within = 12 }
claims[#claims + 1] = { arm = "poisson_mala", stat = "acceptance", near = 0.55, within = 0.12, quote = tuned, where = "section 5.1" }
claims[#claims + 1] = { arm = "mala", stat = "acceptance", near = 0.55, within = 0.12, quote = tuned, where = "section 5.1" }
claims[#claims + 1] = { arm = "poisson_mh", stat = "acceptance", near = 0.25, within = 0.12, quote = tuned, where = "section 5.1" }

return cs.scenario {
  title  = "Effective draws per second: 50 dimensions",
  shows  = "The gain from gradients is as in the paper; the posterior is as wide as its ball",
  source = "auxiliary, appendix G.3, table 7",

  target = tall.regression(10000, 50, 100000),
  chains = 8, seed = 17,
  arms   = tall.arms("regression_50", {
    { "mh", 25 }, { "mala", 55 }, { "barker", 55 }, { "hmc", 25 },
    { "poisson_mh", 25 }, { "poisson_barker", 55 }, { "poisson_mala", 55 } }, { lambda = 0.01, leapfrogs = 5 }),
  budget = { steps = 400 },
  warmup = 200,
  printed = settings.wide,
  setting = "rows have weight ten, so full batches cost a tenth",
  full   = { budget = { steps = 2000 }, seeds = 3, setting = "rows have weight ten, so full batches cost a tenth" },
  screen = { "lesson", { "rows", arm = "poisson_mala" }, { "trace", quantity = "b.1" }, "acceptance", "summary" },

  claims = claims,
}
