-- Effective draws a second: 50 dimensions.
--
-- As table_2.lua, with 50 coefficients. The likelihood of 100,000 rows to the power of
-- 0.0001 weighs as much as ten rows do: too little for 50 coefficients. Far out the density
-- falls as |b|^-50, as fast as the room for it grows, so that what keeps the chains
-- is the ball of radius 15: coordinates spread by 1.8, where ten dimensions give 0.47. Steps that
-- are right out there are hardly ever accepted at the mode. Those here were found by pilot
-- runs, for none are printed.
--
-- The rows are a tenth of the paper's, each of which counts for ten; full batches cost a
-- tenth, and are not held against minibatches by time. Poisson-MALA has 6.9 +- 0.8 times the
-- effective draws of PoissonMH a second, at two seeds (7.3 in the paper), Poisson-Barker 5.4 +- 0.4
-- (3.2). For a million rows Poisson-MALA has 4.5 times MALA's, of a tenth of the rows.
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

local tuned = "to achieve target acceptance rates of 0.25, 0.4, and 0.55"
local claims = tall.claims(7, {
  { "poisson_mala", "poisson_mh", full = true, ranks = { median = true }, note = "6.9 a second, at two seeds" },
  { "poisson_barker", "poisson_mh", full = true, ranks = { median = true }, holds = "other size", note = "5.4 a second, at two seeds" },
  { "poisson_mala", "mala", full = true, ranks = { median = true }, rows_only = true, tenth = true },
  { "poisson_barker", "mala", full = true, ranks = { median = true }, rows_only = true, tenth = true },
  { "mala", "hmc", full = true, ranks = { median = true }, rows_only = true, tenth = true },
})
claims[#claims + 1] = { arm = "poisson_mala", stat = "rows_drawn", near = 603, within = 12 }
claims[#claims + 1] = { arm = "poisson_mala", stat = "acceptance", near = 0.55, within = 0.12, quote = tuned, where = "section 5.1" }
claims[#claims + 1] = { arm = "mala", stat = "acceptance", near = 0.55, within = 0.12, quote = tuned, where = "section 5.1" }
claims[#claims + 1] = { arm = "poisson_mh", stat = "acceptance", near = 0.25, within = 0.12, quote = tuned, where = "section 5.1" }

return cs.scenario {
  title  = "Effective draws a second: 50 dimensions",
  shows  = "Gradients lead by as much as printed; the posterior is as wide as its ball",
  source = "auxiliary, appendix G.3, table 7",

  target = tall.regression(10000, 50, 100000),
  chains = 8, seed = 17,
  arms   = tall.arms("regression_50", {
    { "mh", 25 }, { "mala", 55 }, { "barker", 55 }, { "hmc", 25 },
    { "poisson_mh", 25 }, { "poisson_barker", 55 }, { "poisson_mala", 55 } }, { lambda = 0.01, leapfrogs = 5 }),
  budget = { steps = 400 },
  warmup = 200,
  printed = settings.wide,
  setting = "rows that count for ten: full batches cost a tenth",
  full   = { budget = { steps = 2000 }, seeds = 3, setting = "rows that count for ten: full batches cost a tenth" },
  screen = { "lesson", { "rows", arm = "poisson_mala" }, { "trace", of = "b.1" }, "acceptance", "summary" },

  claims = claims,
}
