-- How fast the error of the mean falls per step.
--
-- figure_1.lua compares samplers of a regression at equal numbers of rows and at equal
-- computing time. Here the same samplers are compared at equal numbers of steps. The
-- data are a tenth of the rows, each with weight ten. This leaves the distribution of
-- a full-batch step unchanged and reduces its cost to a tenth.
--
-- The auxiliary paper says: "MALA and Poisson-MALA exhibit the best overall
-- per-iteration performance, followed by HMC, Barker and Poisson-Barker". According to
-- this statement a minibatch loses little per step. Watch `distance`: the two curves
-- of a kernel, on all rows and on a minibatch, are close to each other.
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"

local claims, after = {}, "300 steps from poisson_mala"
local best = { "MALA and Poisson–MALA exhibit the best overall per-iteration performance, followed by HMC, Barker and Poisson–Barker",
               "appendix G.2" }
for _, pair in ipairs {
  { "mala", "hmc", "cannot tell", "0.86 +- 0.13" }, { "mala", "barker" }, { "mala", "poisson_barker" },
  { "poisson_mala", "hmc", "cannot tell", "0.90 +- 0.12" }, { "poisson_mala", "barker" }, { "poisson_mala", "poisson_barker" } } do
  tall.less_error(claims, pair[1], pair[2], best, { of = after, holds = pair[3], note = pair[4] })
end
tall.less_error(claims, "poisson_mala", "poisson_mh", nil, { of = after })
tall.less_error(claims, "mala", "mh", nil, { of = after })

return cs.scenario {
  title  = "The error of the mean, step by step",
  shows  = "A step on few rows is nearly as good as a step on all rows",
  source = "auxiliary, appendix G.2, figure 4",

  target = tall.regression(10000, 10, 100000),
  chains = 32, seed = 17,
  arms   = tall.arms("regression", {
    { "poisson_mh", 25 }, { "poisson_mala", 55 }, { "poisson_barker", 55 },
    { "mala", 55 }, { "barker", 55 }, { "mh", 25 }, { "hmc", 40 } }, { lambda = 0.01 }),
  budget = { steps = 400 },
  warmup = 0,
  printed = settings.regression,
  setting = "rows have weight ten, so full batches cost a tenth; errors of the posterior mean, in variances; our HMC is a true leapfrog",
  probes = { "means" },
  screen = { "lesson", { "distance", quantity = "mse" }, { "rows", arm = "poisson_mala" }, "acceptance", "summary" },

  claims = claims,
}
