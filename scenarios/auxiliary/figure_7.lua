-- The error of the mean: 50 dimensions.
--
-- The target of table_7.lua (10,000 rows with weight ten), by rows and by steps. By rows
-- (figure 7) Poisson-MALA has the smallest error, after six million 0.27 +- 0.02 of
-- PoissonMH's and 0.23 +- 0.01 of MALA's (32 chains), and Poisson-Barker the second
-- smallest; both are ahead of the others, as printed. PoissonMH is no better than MALA,
-- since full batches cost a tenth here.
--
-- By steps (figure 8) the paper has Poisson-MALA equal to MALA. Here, with the same rule
-- for lambda, it has twice MALA's error after 300 steps, and Poisson-Barker 1.6 times
-- Barker's: in 50 dimensions the noise of their ratios requires shorter steps (0.71
-- instead of 1.02).
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
  setting = "7 million rows per chain; rows with weight ten: full batches cost a tenth; errors of the posterior mean, in variances",
  full   = { chains = 32 },
  probes = { means = { coordinates = 50 } },
  screen = { "lesson", { "distance", quantity = "mse" }, { "rows", arm = "poisson_mala" }, "acceptance", "summary" },

  claims = claims,
}
