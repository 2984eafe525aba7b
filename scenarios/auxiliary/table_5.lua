-- How much does a gradient help on a regression, at three acceptance rates?
--
-- The target is that of table_2.lua on a tenth of its rows, each with weight ten. The
-- posterior and the minibatch kernels are unchanged, and kernels that use all rows
-- cost a tenth. The names of arms end with the acceptance in per cent. The steps are
-- those of the auxiliary paper's programs, times sqrt(2) for MALA. The steps of HMC
-- (Hamiltonian Monte Carlo) are ours, for a true leapfrog integrator.
--
-- The shorter the steps, the more a gradient helps. Poisson-MALA, which uses a gradient,
-- has 4 +- 2 times the effective draws of the random walk PoissonMH per million rows at
-- an acceptance of 0.25, 9 +- 2 times at 0.4, and 17 +- 10 times at 0.55.

-- The paper's ratios of Poisson-MALA to PoissonMH are per second: 2.2 at an acceptance
-- of 0.25, 4.6 at 0.4 and 8.5 at 0.55. MALA has 5.5 times the effective draws of HMC at
-- 0.25 (2.9 in the paper), 10 times at 0.4 (4.8) and 16 times at 0.55 (5.7). The
-- acceptances are right within 0.05, except those of the longest steps.

local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

local names = { "mh", "mala", "barker", "hmc", "poisson_mh", "poisson_barker", "poisson_mala" }
local arms = tall.all_arms("regression", names, { lambda = 0.01 })
-- MALA and Poisson-MALA with steps for an acceptance of 0.25 were accepted at 0.19 in
-- 1000 steps. Chains start at the mode, where such long steps are hardly ever accepted;
-- some chains need hundreds of steps to leave the mode.
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
  setting = "rows have weight ten, so full batches cost a tenth; compared by rows, not by time",
  full   = { budget = { steps = 1000 }, setting = "rows have weight ten, so full batches cost a tenth; compared by rows, not by time" },
  screen = { "lesson", "acceptance", { "rows", arm = "poisson_mala_55" }, "summary" },

  claims = claims,
}
