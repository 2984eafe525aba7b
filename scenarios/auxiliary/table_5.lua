-- Three acceptances: a regression.
--
-- The target of table_2.lua on a tenth of its rows, each with weight ten: the posterior
-- is the same, the minibatch kernels behave the same, and full batches cost a tenth. Arms
-- are named by the acceptance of their step, in per cent. Steps are those of the paper's
-- programs, times sqrt(2) for MALA; HMC's are ours, for a true leapfrog. Acceptances are
-- right within 0.05, except for the longest steps.
--
-- The shorter the steps, the more a gradient helps: per million rows Poisson-MALA has 4
-- +- 2, 9 +- 2 and 17 +- 10 times the effective draws of PoissonMH (per second 2.2, 4.6
-- and 8.5 in the paper), MALA 5.5, 10 and 16 times those of HMC (2.9, 4.8, 5.7).
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

local names = { "mh", "mala", "barker", "hmc", "poisson_mh", "poisson_barker", "poisson_mala" }
local arms = tall.all_arms("regression", names, { lambda = 0.01 })
-- MALA and Poisson-MALA at 0.25 were accepted at 0.19 in 1000 steps. Chains start at the
-- mode, where such long steps are hardly ever accepted; some chains need hundreds of
-- steps to leave it.
local slow = { mala_25 = true, mala_40 = true, poisson_mala_25 = true, poisson_mala_40 = true,
               barker_25 = true, poisson_barker_25 = true }
local claims = tall.claims_by_rate(5, { 
  { "poisson_mala", "poisson_mh", holds = { [25] = "cannot tell", [55] = "cannot tell" } },
  { "poisson_barker", "poisson_mh", holds = { [55] = "cannot tell" } },
  { "mala", "mh", holds = { [25] = "cannot tell" } },
  { "barker", "mh", holds = { [25] = "cannot tell" } },
  { "mala", "hmc" },
})
table.move(tall.accepted(arms, slow), 1, #arms, #claims + 1, claims)

return cs.scenario {
  title  = "Three acceptances: a regression",
  shows  = "The shorter the steps, the more a gradient helps; the longest steps hardly move",
  source = "auxiliary, appendix G.2, table 5",

  target = tall.regression(10000, 10, 100000),
  chains = 8, seed = 17, start = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
  arms   = arms,
  budget = { steps = 200 },
  warmup = 50,
  printed = settings.regression_rates,
  setting = "rows with weight ten: full batches cost a tenth; by rows, not by time",
  full   = { budget = { steps = 1000 }, setting = "rows with weight ten: full batches cost a tenth; by rows, not by time" },
  screen = { "lesson", "acceptance", { "rows", arm = "poisson_mala_55" }, "summary" },

  claims = claims,
}
