-- How fast the error of the mean falls: a regression on 200,000 rows.
--
-- This is figure_1.lua with 200,000 rows. The posterior is narrower by a factor of
-- sqrt(2), and so are the steps. The parameter lambda = 0.01 L^2, where L is the sum
-- of the rows' bounds, is four times as large. So a step of the minibatch kernels
-- draws 1323 rows instead of 410. A full-batch kernel makes only 30 steps in thirty
-- passes over the rows, too few for a random walk to find the posterior.
--
-- Watch `distance`: after six million rows per chain the arms have the same order as with
-- 100,000 rows. With 32 chains the error of Poisson-MALA is 0.08 +- 0.01 of PoissonMH's,
-- that of Poisson-Barker 0.13 +- 0.02 of PoissonMH's, and that of PoissonMH 0.043 +-
-- 0.008 of MALA's. For the cost in seconds see table_6.lua.
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

local claims, after = {}, "6e6 rows from poisson_mala"
-- The paper only says that the comparison "is summarized in Figure 6"; the order of the
-- kernels is read from the plot.
local order = "Poisson-MALA, Poisson-Barker, PoissonMH, then the full batches"
for _, pair in ipairs {
  { "poisson_mala", "poisson_mh" }, { "poisson_barker", "poisson_mh" }, { "poisson_mh", "mala" },
  { "poisson_mh", "barker" }, { "poisson_mh", "mh" }, { "mala", "mh" } } do
  tall.less_error(claims, pair[1], pair[2], nil, { of = after, paper = order, source = "figure, read off", where = "figure 6" })
end
claims[#claims + 1] = { arm = "poisson_mala", stat = "rows_drawn", near = 1323, within = 20 }

return cs.scenario {
  title  = "The error of the mean: twice the rows",
  shows  = "Per row the minibatches have the same advantage as with half of the data",
  source = "auxiliary, appendix G.2, figure 6",

  target = tall.regression(200000),
  chains = 4, seed = 17,
  arms   = tall.arms("regression", {
    { "poisson_mh", 25 }, { "poisson_mala", 55 }, { "poisson_barker", 55 },
    { "mala", 55 }, { "barker", 55 }, { "mh", 25 } }, { lambda = 0.01, scale = math.sqrt(0.5) }),
  budget = { data_terms = 7e6, each = "chain" },
  warmup = 0,
  printed = settings.twice,
  setting = "7 million rows per chain; errors of the posterior mean, in variances; compared by rows, not by time",
  full   = { chains = 32 },
  probes = { "means" },
  screen = { "lesson", { "distance", quantity = "mse" }, { "rows", arm = "poisson_mala" }, "acceptance", "summary" },

  claims = claims,
}
