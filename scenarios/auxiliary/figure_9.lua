-- How many leapfrog steps should HMC make on a regression with 50 coefficients?
--
-- HMC (Hamiltonian Monte Carlo) with 2, 5 and 10 leapfrog steps samples the regression of
-- table_7.lua (10,000 rows with weight ten). Step sizes for acceptances of 0.25, 0.4 and
-- 0.55 were found by pilot runs, because the auxiliary paper states none. The paper says
-- that "all our conclusions remain valid". Its conclusion for ten dimensions
-- (figure_5.lua) was that the performances are "similar for all acceptance rates, with 10
-- leapfrog steps being slightly better".
--
-- This conclusion does not hold here. For equal numbers of rows, ten leapfrog steps give
-- a quarter of the effective draws of two, and half of those of five.

-- Effective draws of ten leapfrog steps, for equal numbers of rows, relative to two
-- steps: 0.24 +- 0.04 at an acceptance of 0.25, 0.28 +- 0.07 at 0.4, and 0.27 +- 0.03 at
-- 0.55. Relative to five steps: 0.42 +- 0.08 at 0.25, 0.53 +- 0.13 at 0.4, and 0.54 +-
-- 0.07 at 0.55. Trajectories of ten tuned steps are only 1.2 to 1.5 times as long as
-- trajectories of two tuned steps, at nearly four times the cost.

local cs = require "chainscope"
local settings = require "paper.settings"
local K = cs.kernel

-- For each number of leapfrog steps: the step sizes that give acceptances of
-- 0.25, 0.4 and 0.55.
local steps = { [2] = { 1.12, 0.885, 0.67 }, [5] = { 0.614, 0.453, 0.317 }, [10] = { 0.342, 0.243, 0.167 } }
local arms, claims = {}, {}
local better = "Their performances are similar for all acceptance rates, with 10 leapfrog steps being slightly better"
for i, rate in ipairs { 25, 40, 55 } do
  for _, leapfrogs in ipairs { 2, 5, 10 } do
    local name = ("hmc_%d_%d"):format(leapfrogs, rate)
    arms[#arms + 1] = { name = name, kernel = K.hmc { step = steps[leapfrogs][i], leapfrogs = leapfrogs, jitter = 0 } }
    claims[#claims + 1] = { arm = name, stat = "acceptance", near = rate / 100, within = 0.12,
                            quote = "to achieve target acceptance rates of 0.25, 0.4, and 0.55", where = "section 5.1" }
  end
  for _, leapfrogs in ipairs { 2, 5 } do
    claims[#claims + 1] = { arm = "hmc_10_" .. rate, than = ("hmc_%d_%d"):format(leapfrogs, rate),
                            stat = "ess_per_million_rows_median", relation = "better", only = "full",
                            holds = false, quote = better, where = "appendix G.2", paper = "\"all our conclusions remain valid\" (appendix G.3, on figure 9)" }
  end
end

return cs.scenario {
  title  = "How many leapfrog steps, in 50 dimensions",
  shows  = "If tuned by acceptance, two leapfrog steps move nearly as far as ten",
  source = "auxiliary, appendix G.3, figure 9",

  target = cs.target.robust_regression { rows = 10000, dim = 50, beta = 1e-3, radius = 15 },
  chains = 8, seed = 17,
  arms   = arms,
  budget = { steps = 100 },
  warmup = 40,
  printed = settings.wide_leapfrogs,
  setting = "rows have weight ten, so full batches cost a tenth; compared by rows, not by time",
  full   = { budget = { data_terms = 6e7, each = "chain" } },
  probes = { "means" },
  screen = { "lesson", { "distance", quantity = "mse" }, "acceptance", "summary" },

  claims = claims,
}
