-- How much does a gradient help on a truncated Gaussian, at three acceptance rates?
--
-- The target is that of table_1.lua on a tenth of its rows, each with weight ten. The
-- posterior and the minibatch kernels are unchanged, and kernels that use all rows
-- cost a tenth. The names of arms end with the acceptance in per cent. All steps are
-- those of the auxiliary paper's programs, times sqrt(2) for MALA.
--
-- The shorter the steps, the more a gradient helps. In the full setting Poisson-MALA,
-- which uses a gradient, has 4 +- 3 times the effective draws of the random walk
-- PoissonMH per million rows at an acceptance of 0.25, 7 +- 3 times at 0.4, and 13 +- 4
-- times at 0.55. Most of the error is that of PoissonMH, which moves too little for a
-- good estimate.

-- The paper's ratios are per second: 2.1 at an acceptance of 0.25, 2.8 at 0.4 and 4.1 at
-- 0.55. The acceptances are right within 0.03, as far as a run of 800 steps shows.

local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

local names = { "mh", "mala", "barker", "poisson_mh", "poisson_barker", "poisson_mala" }
local arms = tall.all_arms("gaussian", names, { lambda = 0.0005 })
local claims = tall.claims_by_rate(4, { 
  { "poisson_mala", "poisson_mh", holds = { [25] = "cannot tell", [40] = "cannot tell" } },
  { "poisson_barker", "poisson_mh", holds = { [25] = "cannot tell", [40] = "cannot tell" } },
  { "mala", "mh", holds = { [25] = "cannot tell" } },
  { "barker", "mh", holds = { [25] = "cannot tell", [40] = "cannot tell" } },
})
table.move(tall.accepted(arms), 1, #arms, #claims + 1, claims)

return cs.scenario {
  title  = "Three acceptances: a truncated Gaussian",
  shows  = "The shorter the steps, the more a gradient helps",
  source = "auxiliary, appendix G.1, table 4",

  target = tall.gaussian("eigenvalue", 10000),
  chains = 8, seed = 17, start = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
  arms   = arms,
  budget = { steps = 150 },
  warmup = 30,
  printed = settings.gaussian_rates,
  setting = "rows have weight ten, so full batches cost a tenth; compared by rows, not by time",
  full   = { budget = { steps = 800 }, setting = "rows have weight ten, so full batches cost a tenth; compared by rows, not by time" },
  screen = { "lesson", "acceptance", { "rows", arm = "poisson_mala_55" }, "summary" },

  claims = claims,
}
