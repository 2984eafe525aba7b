-- The error of the mean: a regression of 100,000 rows.
--
-- Ten coefficients, errors of Student's t, a likelihood tempered to a ten-thousandth. Chains
-- begin anywhere between -2 and 2. The panel `distance` has the mean square error of a chain's
-- mean so far, in variances of the posterior; what is right is said by the arm whose
-- chains agree best. Steps are those of the paper's programs. v goes from steps to rows
-- to seconds, and each time the picture is another one.
--
-- By steps (the paper's figure 4) MALA and Poisson-MALA are alike. By rows the minibatches
-- are far ahead: of three million rows a chain, 30 passes, PoissonMH has a 20th of
-- MALA's error, Poisson-Barker a fifth of PoissonMH's, Poisson-MALA a ninth.
--
-- By seconds of a processor there is less of it, for a row that is drawn costs some ten
-- to fifteen times as much as one of a pass, where eight at a time go through vectors in the
-- order of memory. In the full setting, 40 million rows, Poisson-MALA has after 0.06 s an
-- eighth of PoissonMH's error and a twelfth of MALA's, as printed; but PoissonMH has
-- 0.7 +- 0.2 of MALA's: that "all minibatch methods outperform full-batch methods"
-- cannot be told here. `sgld` has no accept step, and is no worse than any of them so far: its
-- bias is less than its error.
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

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
  shows  = "By rows looked at all minibatches lead by far, by seconds those with a gradient",
  source = "auxiliary, section 5.2, figures 1 and 4",

  target = tall.regression(100000),
  chains = 8, seed = 17,
  arms   = arms,
  budget = { data_terms = 4e6, each = "chain" },
  warmup = 0,
  printed = settings.regression,
  setting = "4 million rows a chain; errors are of the posterior mean, in variances; our HMC is a leapfrog",
  full   = { budget = { data_terms = 4e7, each = "chain" }, setting = "40 million rows a chain; errors are of the posterior mean, in variances; our HMC is a leapfrog" },
  probes = { "means" },
  screen = { "lesson", { "distance", of = "mse" }, { "rows", arm = "poisson_mala" }, "acceptance", "summary" },

  claims = claims,
}
