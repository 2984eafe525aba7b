-- How fast the error of the mean falls: a truncated Gaussian on 100,000 rows.
--
-- The parameters are the means of twenty columns with variances from 1 to 0.05, in a
-- cube. The tempered likelihood is as wide as that of one row. Chains start between -2
-- and 2. The minibatch kernels (PoissonMH, Poisson-MALA, Poisson-Barker) draw 5858
-- rows per step, with the bound and the parameter lambda of the auxiliary paper.
--
-- Watch `distance`: the mean square error of a chain's mean so far, in units of the
-- posterior variance (v chooses the axis). After two million rows per chain the error
-- of Poisson-Barker is 1/4 of PoissonMH's and 1/5 of MALA's and of Barker's, as in the
-- paper. At equal computing time, Poisson-Barker is only as good as the kernels that
-- use all rows (table_1.lua, table_1_tight.lua).

-- `sgld` has the smallest error of the mean. The bias of `sgld` is in the standard
-- deviations.

local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

-- By seconds (full setting, after 0.15 s) the error of Poisson-Barker is 1.07 +- 0.13
-- times that of MALA and 1.14 +- 0.14 times that of Barker; the error of PoissonMH is 3.7
-- times that of MALA. Poisson-MALA at an acceptance of 0.25 is not worse than PoissonMH,
-- which has 3.8 +- 0.7 times its error.
--
-- The error of `sgld` is 1/20 of Poisson-MALA's after two million rows and 1/16 after 40
-- million, so `sgld` does not reach a plateau. Its rate makes the narrow coordinates too
-- wide, which changes no mean. The standard deviations (second row of figure 3) show
-- this: after 50 million rows the error of their logarithms is 0.06 larger for `sgld`
-- than for Poisson-Barker, whose error is the smallest. See also table_3.lua.
local more = { lambda = 0.0005 }
local arms = tall.arms("gaussian", {
  { "poisson_mh", 25 }, { "poisson_mala", 55 }, { "poisson_barker", 55 },
  { "mala", 55 }, { "barker", 55 }, { "mh", 25 } }, more)
arms[#arms + 1] = { name = "sgld",
                    kernel = cs.kernel.sgld { rate = 0.04, batch = 512, order = "without_replacement" } }
arms[#arms + 1] = { name = "poisson_mala_25", kernel = tall.kernel("gaussian", "poisson_mala", 25, more) }

local claims = {}
local function less_error(...) tall.less_error(claims, ...) end
local early, rows, time = "2e6 rows", "4e7 rows", "0.15 seconds"
local barker = { "Poisson–Barker significantly improves PoissonMH, random-walk Metropolis, MALA and Barker for all acceptance rates", "section 5.1" }
local all = { "PoissonMH, Poisson–MALA, and Poisson–Barker, consistently outperform random-walk Metropolis, MALA, and Barker", "section 5.1" }
local early_sgld = { "SGLD decreases MSE quickly at early times but then plateaus", "section 5.1" }
for _, other in ipairs { "poisson_mh", "mh", "mala", "barker" } do
  less_error("poisson_barker", other, barker, { of = early, only = "quick" })
  less_error("poisson_barker", other, barker, { of = rows, only = "full" })
  local full_batch = other == "mala" or other == "barker"
  less_error("poisson_barker", other, barker, { of = time, only = "full", holds = full_batch and "cannot tell" or nil,
                                                note = full_batch and "1.1 +- 0.1" or "0.3" })
end
less_error("poisson_mh", "mala", all, { of = rows, only = "full" })
less_error("poisson_mh", "mala", all, { of = time, only = "full", holds = false, note = "3.7 +- 0.6" })
less_error("poisson_mh", "poisson_mala_25", { "shows worse performance than PoissonMH at a 0.25 acceptance rate", "section 5.1" },
           { of = rows, only = "full", holds = false, note = "3.8 +- 0.7" })
less_error("poisson_mala", "sgld", early_sgld,
           { of = rows, only = "full", holds = false, note = "16 +- 2: the mean reaches no plateau" })
less_error("sgld", "poisson_mala", early_sgld, { of = early, only = "quick" })

-- The plots in the second row of figure 3 show the variance. Here the standard
-- deviations at the end of the run are compared.
for _, row in ipairs { { "poisson_mh" }, { "mh" }, { "barker" }, { "mala", only = "full" }, { "sgld", only = "full" } } do
  claims[#claims + 1] = { arm = "poisson_barker", stat = "sd_error", than = row[1], relation = "better", only = row.only,
                          quote = row[1] ~= "sgld" and "both in terms of posterior mean and variance" or nil,
                          where = row[1] ~= "sgld" and "section 5.1" or nil }
end
claims[#claims + 1] = { arm = "poisson_mala", stat = "sd_error", less_than = "sgld", at_most = 0, only = "full",
                        note = "0.056 +- 0.004, because of the bias of SGLD" }

return cs.scenario {
  title  = "The error of the mean: a truncated Gaussian",
  shows  = "Per row the minibatches are better; SGLD is the best, since its bias is not in the mean",
  source = "auxiliary, section 5.1, figure 3",

  target = tall.gaussian "eigenvalue",
  chains = 8, seed = 17,
  arms   = arms,
  budget = { data_terms = 2.5e6, each = "chain" },
  warmup = 0,
  printed = settings.gaussian_with_sgld,
  setting = "2.5 million rows per chain; errors in variances",
  full   = { budget = { data_terms = 5e7, each = "chain" }, setting = "50 million rows per chain; errors in variances" },
  probes = { means = { coordinates = 20 }, moments = { coordinates = 20 } },
  screen = { "lesson", { "distance", quantity = "mse" }, { "rows", arm = "poisson_mala" }, "acceptance", "summary" },

  claims = claims,
}
