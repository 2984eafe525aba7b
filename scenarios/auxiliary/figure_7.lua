-- The error of the mean: 50 dimensions.
--
-- What table_7.lua samples (10,000 rows, each of which counts for ten), by rows and by steps.
--
-- By rows (figure 7) Poisson-MALA has the least error, after six million 0.27 +- 0.02 of
-- PoissonMH's and 0.23 +- 0.01 of MALA's (32 chains), Poisson-Barker the second; both are
-- ahead of all others, as printed. PoissonMH is no
-- better than MALA: of a tenth of the rows a full batch costs a tenth.
--
-- By steps (figure 8) the paper has Poisson-MALA beside MALA. Here, with a lambda of the same
-- rule, it has twice MALA's error after 300 steps, and Poisson-Barker 1.6 times Barker's: in 50
-- dimensions the steps that pass the noise of their ratios are shorter (0.71 for 1.02).
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

local claims = {}
local rows, steps = "6e6 rows from poisson_mala", "300 steps from poisson_mala"
local lead = { "Our Poisson–MALA and Poisson–Barker outperform all other algorithms", "appendix G.3" }
for _, arm in ipairs { "poisson_mala", "poisson_barker" } do
  for _, other in ipairs { "poisson_mh", "mala", "barker", "mh", "hmc" } do
    tall.less_error(claims, arm, other, lead, { of = rows })
  end
end
tall.less_error(claims, "mala", "poisson_mala", nil, { of = steps })

return cs.scenario {
  title  = "The error of the mean: 50 dimensions",
  shows  = "By rows Poisson-MALA leads, by steps MALA: its steps are longer",
  source = "auxiliary, appendix G.3, figures 7 and 8",

  target = tall.regression(10000, 50, 100000),
  chains = 4, seed = 17,
  arms   = tall.arms("regression_50", {
    { "poisson_mh", 25 }, { "poisson_mala", 55 }, { "poisson_barker", 55 },
    { "mala", 55 }, { "barker", 55 }, { "mh", 25 }, { "hmc", 25 } }, { lambda = 0.01, leapfrogs = 5 }),
  budget = { data_terms = 7e6, each = "chain" },
  warmup = 0,
  printed = settings.wide,
  setting = "7 million rows a chain; rows that count for ten: full batches cost a tenth; errors are of the posterior mean, in variances",
  full   = { chains = 32 },
  probes = { means = { coordinates = 50 } },
  screen = { "lesson", { "distance", of = "mse" }, { "rows", arm = "poisson_mala" }, "acceptance", "summary" },

  claims = claims,
}
