-- Three acceptances: a truncated Gaussian.
--
-- The target of table_1.lua on a tenth of its rows, each with weight ten: the posterior
-- is the same, the minibatch kernels behave the same, and full batches cost a tenth. Arms
-- are named by the acceptance of their step, in per cent. All steps are those of the
-- paper's programs, times sqrt(2) for MALA; their acceptances are right within 0.03, as
-- far as a run of 800 steps shows.
--
-- The shorter the steps, the more a gradient helps: in the full setting Poisson-MALA has,
-- per million rows, 4 +- 3, 7 +- 3 and 13 +- 4 times the effective draws of PoissonMH at
-- 0.25, 0.4 and 0.55. The paper has 2.1, 2.8 and 4.1 per second. Most of the error is the
-- random walk's, which moves too little for a good estimate of its ESS.
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
  setting = "rows with weight ten: full batches cost a tenth; by rows, not by time",
  full   = { budget = { steps = 800 }, setting = "rows with weight ten: full batches cost a tenth; by rows, not by time" },
  screen = { "lesson", "acceptance", { "rows", arm = "poisson_mala_55" }, "summary" },

  claims = claims,
}
