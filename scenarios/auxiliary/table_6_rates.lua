-- How much does a gradient help on twice the rows of a regression, at three acceptance
-- rates?
--
-- The target is that of table_5.lua with twice the rows: 20,000 rows, each with weight
-- ten, replace 200,000 rows. The steps are shorter by a factor of sqrt(2). The names of
-- arms end with the acceptance in per cent. HMC (Hamiltonian Monte Carlo) makes five
-- leapfrog steps, as in the paper's table.
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

local names = { "mh", "mala", "barker", "poisson_mh", "poisson_barker", "poisson_mala" }
local more = { lambda = 0.01, scale = math.sqrt(0.5), leapfrogs = 5 }
local arms = tall.all_arms("regression", names, more)
for _, rate in ipairs { 25, 40, 55 } do
  arms[#arms + 1] = { name = "hmc_" .. rate, kernel = tall.kernel("regression", "hmc", rate, more) }
end
local claims = tall.claims_by_rate(6, {
  { "poisson_mala", "poisson_mh", holds = { [25] = "cannot tell", [55] = "cannot tell" } },
  { "poisson_barker", "poisson_mh", holds = { [25] = "cannot tell", [55] = "cannot tell" } },
  { "mala", "mh", holds = { [25] = "cannot tell" } },
  { "barker", "mh", holds = { [25] = "cannot tell" } },
  { "mala", "hmc" },
})
claims[#claims + 1] = { arm = "poisson_mala_55", stat = "rows_drawn", near = 1323, within = 20 }
claims[#claims + 1] = { arm = "mh_25", stat = "acceptance", near = 0.25, within = 0.15,
                        quote = "to achieve target acceptance rates of 0.25, 0.4, and 0.55", where = "section 5.1" }

return cs.scenario {
  title  = "Three acceptances: twice the rows",
  shows  = "With twice the rows, too, a gradient helps more at short steps",
  source = "auxiliary, appendix G.2, table 6",

  target = tall.regression(20000, 10, 200000),
  chains = 8, seed = 17, start = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
  arms   = arms,
  budget = { steps = 150 },
  warmup = 30,
  printed = settings.twice,
  setting = "rows have weight ten, so full batches cost a tenth; compared by rows, not by time",
  full   = { budget = { steps = 1000 } },
  screen = { "lesson", "acceptance", { "rows", arm = "poisson_mala_55" }, "summary" },

  claims = claims,
}
