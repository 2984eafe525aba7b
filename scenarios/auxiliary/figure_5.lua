-- How many leapfrogs: a path that comes back to where it began.
--
-- HMC with 2, 5 and 10 leapfrog steps on the regression of figure_1.lua (10,000 rows, each of
-- which counts for ten), the step such that 0.25, 0.4 or 0.55 of the proposals are accepted.
-- "Their performances are similar for all acceptance rates, with 10 leapfrog steps being
-- slightly better", says the paper, and takes ten.
--
-- A true leapfrog does not bear it out. Of equal rows two have 31 times the effective draws
-- of ten at 0.55, 17 times at 0.4, 10 times at 0.25; the panel `distance` has their errors. The
-- posterior is all but normal, with a standard deviation of 0.47, so that a path of HMC
-- is back where it began after a time of 2 pi 0.47 = 3.0. Five steps of 0.6 take just that
-- long, ten steps of 0.6 twice as long: the proposal is where the chain stands. Acceptance sees
-- nothing of it.
--
-- `short`, ten steps of 0.1, a third of the way round, is accepted at 0.985 and has 14 times the
-- effective draws of the best of the tuned tens. So it is not the number that is wrong, but to
-- choose the step by acceptance alone. (Their program's leapfrog is none: it takes
-- the gradient once a step, at its start, and its paths do not come back.)
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

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
  claims[#claims + 1] = { arm = "hmc_2_" .. rate, over = "hmc_" .. rate, stat = "ess_per_million_rows_median", at_least = 2,
                          only = rate ~= 25 and "full" or nil }
end
claims[#claims + 1] = { arm = "short", over = "hmc_40", stat = "ess_per_million_rows_median", at_least = 2, only = "full" }
claims[#claims + 1] = { arm = "short", stat = "acceptance", near = 0.985, within = 0.02 }

return cs.scenario {
  title  = "How many leapfrogs",
  shows  = "Tuned by acceptance, ten leapfrogs go once round and come back: two have 17 times the draws",
  source = "auxiliary, appendix G.2 and G.3, figures 5 and 9",

  target = tall.regression(10000, 10, 100000),
  chains = 8, seed = 17,
  arms   = arms,
  budget = { data_terms = 1.5e7, each = "chain" },
  warmup = 20,
  printed = settings.leapfrogs,
  setting = "15 million rows a chain; rows that count for ten: full batches cost a tenth",
  full   = { budget = { data_terms = 1e8, each = "chain" }, setting = "100 million rows a chain; rows that count for ten: full batches cost a tenth" },
  probes = { "means" },
  screen = { "lesson", { "distance", of = "mse" }, "acceptance", "summary" },

  claims = claims,
}
