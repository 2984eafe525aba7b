-- How much does a minibatch gain on a regression with 50 coefficients?
--
-- The full setting uses all 100,000 rows; table_7.lua uses a tenth of the rows, each with
-- weight ten. Each claim states the ratio of the effective draws per row read of a
-- minibatch kernel to those of the same kernel on full batches (all rows).
--
-- Poisson-MALA has 45 +- 6 times the effective draws per row of MALA, Poisson-Barker
-- 58 +- 8 times those of Barker, and PoissonMH 85 +- 75 times those of the random
-- walk. The auxiliary paper states ratios of effective draws per second: 18 for
-- Poisson-MALA, 23 for Poisson-Barker and 20 for PoissonMH. In the paper's program a
-- row of a minibatch takes more time than a row of a full batch.

-- Using a tenth of the rows does not change the cost of minibatch kernels, but makes
-- full batches cheap.

local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"
local printed = require "tall.printed"

local claims = {}
for _, pair in ipairs { { "poisson_mala", "mala", 3 }, { "poisson_barker", "barker", 3 }, { "poisson_mh", "mh", 1 } } do
  local a, b, at = table.unpack(pair)
  claims[#claims + 1] = {
    arm = a, than = b, stat = "ess_per_million_rows_median", relation = "better", only = "full",
    quote = printed.quote(7, a, b, at), where = "table 7",
    paper = ("%.3g times, per second"):format(printed.number(7, a, "median", at) / printed.number(7, b, "median", at)) }
end
claims[#claims + 1] = { arm = "poisson_mala", stat = "rows_drawn", near = 603, within = 20 }

return cs.scenario {
  title  = "50 dimensions, all rows",
  shows  = "How many of 100,000 rows a minibatch saves in 50 dimensions",
  source = "auxiliary, appendix G.3, table 7",

  target = tall.regression(10000, 50, 100000),
  chains = 8, seed = 17,
  arms   = tall.arms("regression_50", {
    { "mh", 25 }, { "mala", 55 }, { "barker", 55 },
    { "poisson_mh", 25 }, { "poisson_barker", 55 }, { "poisson_mala", 55 } }, { lambda = 0.01 }),
  budget = { steps = 60 },
  warmup = 30,
  printed = settings.wide_rows,
  setting = "compared by rows, not by time",
  full   = { target = tall.regression(100000, 50), budget = { steps = 2000 } },
  screen = { "lesson", "acceptance", { "rows", arm = "poisson_mala" }, "summary" },

  claims = claims,
}
