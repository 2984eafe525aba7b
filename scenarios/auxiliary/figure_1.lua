-- How fast the error of the mean falls: a regression on 100,000 rows.
--
-- The model has ten coefficients and Student-t errors; its likelihood is tempered to
-- the power 1/10,000. Chains start between -2 and 2. PoissonMH, Poisson-Barker and
-- Poisson-MALA draw a minibatch of rows per step. Watch `distance`: the mean square
-- error of a chain's mean so far, in units of the posterior variance. Press v for
-- another axis.
--
-- Per step, MALA (all rows) and Poisson-MALA are equally good (figure_4.lua). Per row,
-- the minibatch kernels are far better. After three million rows per chain the error
-- of PoissonMH is 1/20 of MALA's. The error of Poisson-Barker is 1/5 of PoissonMH's,
-- and that of Poisson-MALA is 1/9 of PoissonMH's.

-- The errors in `distance` are measured from the mean of the arm whose chains agree best.
-- By processor time the lead is smaller, because a drawn row costs 10 to 15 times the
-- time of a row in a full pass. `sgld`, which has no accept step, is equally good so
-- far, because its bias is below its error.

local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

-- Steps are those of the paper's programs; three million rows are 30 passes. A full pass
-- reads rows in memory order, eight at a time in vectors. In the full setting (40 million
-- rows) and after 0.06 s, the error of Poisson-MALA is 1/8 of PoissonMH's and 1/12 of
-- MALA's, as in the paper. But the error of PoissonMH is 0.7 +- 0.2 times that of MALA,
-- so "all minibatch methods outperform full-batch methods" cannot be decided here.
local arms = tall.arms("regression", {
  { "poisson_mh", 25 }, { "poisson_mala", 55 }, { "poisson_barker", 55 },
  { "mala", 55 }, { "barker", 55 }, { "mh", 25 }, { "hmc", 40 } }, { lambda = 0.01 })
arms[#arms + 1] = { name = "sgld",
                    kernel = cs.kernel.sgld { rate = 0.04, batch = 512, order = "without_replacement" } }

local claims = {}
local function less_error(...) tall.less_error(claims, ...) end
local early, rows, time = "3e6 rows from poisson_mala", "3e7 rows from poisson_mala", "0.06 seconds from poisson_mala"
local better = { "Poisson–MALA and Poisson–Barker are much more efficient than PoissonMH", "section 5.2" }
local all = { "all minibatch methods outperform full-batch methods", "section 5.2" }
for _, arm in ipairs { "poisson_mala", "poisson_barker" } do
  less_error(arm, "poisson_mh", better, { of = early, only = "quick" })
  less_error(arm, "poisson_mh", better, { of = rows, only = "full" })
  less_error(arm, "poisson_mh", better, { of = time, only = "full" })
end
for _, arm in ipairs { "mala", "mh", "hmc" } do
  less_error("poisson_mh", arm, all, { of = early, only = "quick" })
  less_error("poisson_mh", arm, all, { of = rows, only = "full" })
end
less_error("poisson_mh", "mala", all, { of = time, only = "full", holds = "cannot tell", note = "0.7 +- 0.2" })
less_error("poisson_mh", "mh", all, { of = time, only = "full", note = "0.09 +- 0.03" })
less_error("poisson_mala", "mala", all, { of = time, only = "full", note = "0.08 +- 0.02" })
less_error("sgld", "poisson_mh", nil, { of = early, only = "quick" })

return cs.scenario {
  title  = "The error of the mean: a regression",
  shows  = "Per evaluated row all minibatch kernels are far better; per second only those with a gradient",
  source = "auxiliary, section 5.2, figures 1 and 4",

  target = tall.regression(100000),
  chains = 8, seed = 17,
  arms   = arms,
  budget = { data_terms = 4e6, each = "chain" },
  warmup = 0,
  printed = settings.regression,
  setting = "4 million rows per chain; errors of the posterior mean, in variances; our HMC is a true leapfrog",
  full   = { budget = { data_terms = 4e7, each = "chain" }, setting = "40 million rows per chain; errors of the posterior mean, in variances; our HMC is a true leapfrog" },
  probes = { "means" },
  screen = { "lesson", { "distance", quantity = "mse" }, { "rows", arm = "poisson_mala" }, "acceptance", "summary" },

  claims = claims,
}
