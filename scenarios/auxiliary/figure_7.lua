-- How fast the error of the mean falls: a regression with 50 coefficients.
--
-- The target is that of table_7.lua (10,000 rows with weight ten). For equal numbers
-- of rows, as in figure 7 of the auxiliary paper, Poisson-MALA has the smallest error
-- of the mean and Poisson-Barker the second smallest. After six million rows the error
-- of Poisson-MALA is 0.27 +- 0.02 of PoissonMH's and 0.23 +- 0.01 of MALA's (32
-- chains). PoissonMH is no better than MALA, since MALA's full batches cost only a
-- tenth here.
--
-- For equal numbers of steps (figure 8) the paper finds Poisson-MALA equal to MALA.
-- Here, with the paper's rule for lambda, Poisson-MALA has twice MALA's error after
-- 300 steps, and Poisson-Barker has 1.6 times Barker's error.

-- In 50 dimensions the noise of the acceptance ratios of the minibatch kernels requires
-- shorter steps (0.71 instead of 1.02).

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
  shows  = "Per row Poisson-MALA is the best; per step MALA is, because its steps are longer",
  source = "auxiliary, appendix G.3, figures 7 and 8",

  target = tall.regression(10000, 50, 100000),
  chains = 4, seed = 17,
  arms   = tall.arms("regression_50", {
    { "poisson_mh", 25 }, { "poisson_mala", 55 }, { "poisson_barker", 55 },
    { "mala", 55 }, { "barker", 55 }, { "mh", 25 }, { "hmc", 25 } }, { lambda = 0.01, leapfrogs = 5 }),
  budget = { data_terms = 7e6, each = "chain" },
  warmup = 0,
  printed = settings.wide,
  setting = "7 million rows per chain; rows have weight ten, so full batches cost a tenth; errors of the posterior mean, in variances",
  full   = { chains = 32 },
  probes = { means = { coordinates = 50 } },
  screen = { "lesson", { "distance", quantity = "mse" }, { "rows", arm = "poisson_mala" }, "acceptance", "summary" },

  claims = claims,
}
