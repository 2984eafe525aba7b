-- How many leapfrog steps? Trajectories that return to their start.
--
-- HMC with 2, 5 and 10 leapfrog steps on the regression of figure_1.lua (10,000 rows with
-- weight ten), with steps for acceptances of 0.25, 0.4 and 0.55. The paper says: "Their
-- performances are similar for all acceptance rates, with 10 leapfrog steps being
-- slightly better". With a true leapfrog, at equal rows, two steps have 31, 17 and 10
-- times the effective draws of ten at 0.55, 0.4 and 0.25.
--
-- Watch `distance`. The posterior is nearly normal with deviation 0.47, so a trajectory
-- returns after a time of 2 pi 0.47 = 3.0: five steps of 0.6, while ten go round twice.
-- Acceptance does not show it. `short`, ten steps of 0.1, has 14 times the effective
-- draws of the best tuned ten.
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

-- `short` covers a third of the period and is accepted at 0.985. So the mistake is to
-- choose the step by acceptance only, not the number of steps. (The leapfrog of the
-- paper's program takes the gradient once per step, at its start, and its trajectories do
-- not return.)
local arms = tall.all_arms("regression", { "hmc_2", "hmc_5", "hmc" }, {})
arms[#arms + 1] = { name = "short", kernel = cs.kernel.hmc { step = 0.1, leapfrogs = 10, jitter = 0 } }
arms[#arms + 1] = { name = "mala", kernel = tall.kernel("regression", "mala", 55, {}) }

local better = "Their performances are similar for all acceptance rates, with 10 leapfrog steps being slightly better"
local claims = tall.accepted(table.move(arms, 1, 9, 1, {}))
for _, rate in ipairs { 25, 40, 55 } do
  local not_so = { hmc_2 = false, hmc_5 = "cannot tell" }
  if rate == 25 then not_so.hmc_5 = false end -- 0.63 +- 0.07
  for _, other in ipairs { "hmc_2", "hmc_5" } do
    claims[#claims + 1] = { arm = "hmc_" .. rate, than = other .. "_" .. rate, stat = "ess_per_million_rows_median",
                            relation = "better", quote = better, where = "appendix G.2", only = "full",
                            holds = not_so[other] }
  end
  claims[#claims + 1] = { arm = "hmc_2_" .. rate, ratio_to = "hmc_" .. rate, stat = "ess_per_million_rows_median", at_least = 2,
                          only = rate ~= 25 and "full" or nil }
end
claims[#claims + 1] = { arm = "short", ratio_to = "hmc_40", stat = "ess_per_million_rows_median", at_least = 2, only = "full" }
claims[#claims + 1] = { arm = "short", stat = "acceptance", near = 0.985, within = 0.02 }

return cs.scenario {
  title  = "How many leapfrog steps",
  shows  = "Tuned by acceptance, ten leapfrog steps return to the start: two have 17 times the effective draws",
  source = "auxiliary, appendix G.2 and G.3, figures 5 and 9",

  target = tall.regression(10000, 10, 100000),
  chains = 8, seed = 17,
  arms   = arms,
  budget = { data_terms = 1.5e7, each = "chain" },
  warmup = 20,
  printed = settings.leapfrogs,
  setting = "15 million rows per chain; rows with weight ten: full batches cost a tenth",
  full   = { budget = { data_terms = 1e8, each = "chain" }, setting = "100 million rows per chain; rows with weight ten: full batches cost a tenth" },
  probes = { "means" },
  screen = { "lesson", { "distance", quantity = "mse" }, "acceptance", "summary" },

  claims = claims,
}
