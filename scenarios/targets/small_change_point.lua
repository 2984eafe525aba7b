-- A change point with exact answers: does a cycle of kernels sample the right posterior?
--
-- Twenty Poisson counts have rate.1 up to position k and rate.2 after it; all 19 values
-- of k are equally likely before the data are seen. For given k both rates have Gamma
-- distributions, so the posterior is a sum of 19 known terms. `auto`, chosen from the
-- model, sums k out of the density of the rates, moves the rates, and draws k. In
-- `rates_first` hmc moves the rates for the present k, then gibbs draws k. In `k_first` a
-- walk moves k by up to three positions, twice, and mala moves the rates, twice.
--
-- Watch `summary`: all means are near the exact ones, which the claims list. The arms
-- differ in the effective draws of k and of the rates.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf
local y = { 5, 3, 6, 4, 4, 7, 5, 2, 6, 3, 1, 2, 0, 3, 1, 1, 2, 0, 1, 2 }

local claims = {
  { arm = "auto", stat = "rhat", at_most = 1.02 },
  -- Measured, of 160,000 draws: 150,000 and 32,000.
  { arm = "auto", stat = "ess", of = "k", at_least = 70000 },
  { arm = "k_first", stat = "ess", of = "k", at_most = 55000 },
}
-- Exact values: sums over k. The numbers after a value are the tolerances for `auto` and
-- `rates_first`, and for `k_first`. A tolerance is 3 + 2.13 errors of a run, by 16 seeds: the
-- verdict needs a margin of 2.13 errors of 16 chains, and the figure differs by up to 3.
local exact = {
  mean = { { "k", 9.9041337, 0.019, 0.035 }, { "at_9", 0.2937476, 0.007, 0.01 }, { "at_10", 0.4738633, 0.0075, 0.015 },
           { "rate.1", 4.2414490, 0.0105, 0.014 }, { "rate.2", 1.4307385, 0.007, 0.0125 } },
  sd   = { { "k", 1.2831457, 0.025, 0.062 }, { "rate.1", 0.6626469, 0.01, 0.016 }, { "rate.2", 0.3825636, 0.0056, 0.008 } },
}
for _, arm in ipairs { "auto", "rates_first", "k_first" } do
  for _, stat in ipairs { "mean", "sd" } do
    for _, row in ipairs(exact[stat]) do
      claims[#claims + 1] = { arm = arm, stat = stat, of = row[1], exact = row[2], within = row[arm == "k_first" and 4 or 3] }
    end
  end
end

return cs.scenario {
  title  = "A change point with exact answers",
  shows  = "Three cycles of kernels agree with a posterior that is a sum of 19 terms",
  source = "Carlin, Gelfand and Smith 1992",
  tags   = "teaching gibbs exact",

  target = cs.target {
    name   = "small_change_point",
    params = { { rate = cs.positive(2) }, { k = cs.integer(1, #y - 1) } },
    view   = { "rate.1", "rate.2", 2, 7, 0, 4 },
    log_density = function(p)
      local u = lpdf.gamma(p.rate, 2, 1)
      for i = 1, #y do u = u + lpdf.poisson(y[i], p.rate[1 + M.gt(i, p.k)]) end
      return u
    end,
    generated = function(p) return { at_9 = M.eq(p.k, 9), at_10 = M.eq(p.k, 10) } end,
  },
  chains = 16, seed = 46,
  start  = { rate = { 4, 2 }, k = 10 },
  arms   = {
    auto        = cs.kernel.auto {},
    rates_first = cs.kernel.cycle { cs.kernel.hmc { on = "rate", step = 0.12 }, cs.kernel.gibbs { on = "k" } },
    k_first     = cs.kernel.cycle { cs.kernel.random_walk { on = "k", radius = 3, times = 2 },
                                    cs.kernel.mala { on = "rate", step = 0.35, times = 2 } },
  },
  budget = { steps = 11000 },
  screen = { "map", { "trace", quantity = "k" }, "acceptance", "summary" },
  claims = claims,
}
