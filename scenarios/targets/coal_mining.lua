-- Coal mining: the same year of change, sampled and summed out.
--
-- Accidents in British coal mines per year have a rate `early` in the first k years and
-- `late` after them. Here k is a parameter: count[p.k] reads an entry of a list. `auto`,
-- chosen from the model, sums k out of the density of the rates, moves the rates, and draws
-- k from its 110 values. In `walk`, k moves by up to five years; in `by_hand`, gibbs draws
-- k. The claims also run the model of `change_point`, in which the script sums k out: the
-- means agree, and it has 1.1 times the effective draws per evaluation of `auto`.
--
-- Watch `trace` of `year` and compare its ESS in `summary`: draws of `auto` are almost
-- independent, those of the walk are not. `expected`, the mean year for the rates of a
-- draw, has the same mean as `year` and a smaller error.
local cs = require "chainscope"
local beside = require "summed_out.beside"
local M = cs.math

local deaths = {
  4, 5, 4, 0, 1, 4, 3, 4, 0, 6, 3, 3, 4, 0, 2, 6, 3, 3, 5, 4, 5, 3, 1, 4, 4, 1, 5, 5,
  3, 4, 2, 5, 2, 2, 3, 4, 2, 1, 3, 2, 2, 1, 1, 1, 1, 3, 0, 0, 1, 0, 1, 1, 0, 0, 3, 1,
  0, 3, 2, 2, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 1, 0, 2, 3, 3, 1, 1,
  2, 1, 1, 1, 1, 2, 4, 2, 0, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1,
}
-- The number of accidents in the first k years, for each k.
local years, total, length, count = #deaths, 0, {}, {}
for k = 1, years do
  total = total + deaths[k]
  if k < years then length[k], count[k] = k, total end
end
length, count = M.vector(length), M.vector(count)

-- Returns the log likelihood for a change after `n` years with `accidents` accidents; both may be
-- lists.
local function log_likelihood(p, n, accidents)
  return accidents * M.log(p.early) - n * p.early +
         (total - accidents) * M.log(p.late) - (years - n) * p.late
end

local function expected(p)
  return 1851 + M.dot(M.softmax(log_likelihood(p, length, count)), length)
end

local function prior(p) return cs.lpdf.exponential(p.early, 1) + cs.lpdf.exponential(p.late, 1) end

-- The model with the year summed out.
local summed_out = cs.target {
  name   = "change_point",
  params = { { early = cs.positive() }, { late = cs.positive() } },
  log_density = function(p) return prior(p) + M.log_sum_exp(log_likelihood(p, length, count)) end,
  generated = function(p) return { expected = expected(p) } end,
}

-- The figure of the summed-out model divided by that of an arm.
local ratio = beside.with(summed_out, 5000, { early = 3, late = 1 })

return cs.scenario {
  title  = "The year as a parameter",
  shows  = "An integer beside real parameters: kernels of several members, chosen from the model",
  source = "Jarrett 1979; Carlin, Gelfand and Smith 1992",

  target = cs.target {
    name   = "coal_mining",
    params = { { early = cs.positive() }, { late = cs.positive() }, { k = cs.integer(1, years - 1) } },
    view   = { 2, 4.5, 0.4, 1.6 },
    log_density = function(p) return prior(p) + log_likelihood(p, p.k, count[p.k]) end,
    generated = function(p)
      return { year = 1851 + p.k, by_1890 = 1 - M.gt(p.k, 39), expected = expected(p) }
    end,
  },
  chains = 4, seed = 41,
  start  = { early = 3, late = 1, k = 40 },
  arms   = {
    auto    = cs.kernel.auto {},
    walk    = cs.kernel.auto { k = cs.kernel.random_walk { radius = 5 } },
    by_hand = cs.kernel.cycle { cs.kernel.hmc { on = { "early", "late" }, step = 0.12, leapfrogs = 4, jitter = 0 },
                                cs.kernel.gibbs { on = "k" } },
  },
  budget = { steps = 20000 },
  screen = { "map", { "trace", quantity = "year" }, "acceptance", "summary" },

  -- Exact values (given the year, both rates are Gamma): early 3.0662 (deviation 0.2848),
  -- late 0.9361 (0.1178), mean year 1891.003, change by 1890 with probability 0.3729.
  claims = {
    { arm = "auto", stat = "mean", of = "early", near = 3.0662, within = 0.01 },
    { arm = "auto", stat = "sd", of = "early", near = 0.2848, within = 0.01 },
    { arm = "auto", stat = "mean", of = "late", near = 0.9361, within = 0.003 },
    { arm = "auto", stat = "sd", of = "late", near = 0.1178, within = 0.003 },
    { arm = "auto", stat = "mean", of = "year", near = 1891.003, within = 0.1 },
    { arm = "auto", stat = "mean", of = "expected", near = 1891.003, within = 0.03 },
    { arm = "auto", stat = "mean", of = "by_1890", near = 0.3729, within = 0.01 },
    { arm = "walk", stat = "mean", of = "year", near = 1891.003, within = 0.2 },
    { arm = "walk", stat = "mean", of = "early", near = 3.0662, within = 0.01 },
    { arm = "by_hand", stat = "mean", of = "year", near = 1891.003, within = 0.1 },
    { arm = "by_hand", stat = "mean", of = "late", near = 0.9361, within = 0.01 },
    { arm = "auto", stat = "rhat", at_most = 1.02 },
    -- Measured, of 76,000 draws: 73,200 and 10,500.
    { arm = "auto", stat = "ess", of = "year", at_least = 30000 },
    { arm = "walk", stat = "ess", of = "year", at_most = 20000 },
    -- The model with the year summed out, divided by this arm.
    { arm = "auto", stat = "mean of early: ratio to the summed-out model", near = 1, within = 0.004,
      measure = ratio("mean", "early") },
    { arm = "auto", stat = "mean of expected: ratio", near = 1, within = 0.00002, measure = ratio("mean", "expected") },
    { arm = "auto", stat = "ess_per_work of expected: ratio", near = 1.1, within = 0.3, measure = ratio("ess_per_work", "expected") },
    { arm = "auto", stat = "ess_per_work of early: ratio", near = 1.1, within = 0.3, measure = ratio("ess_per_work", "early") },
  },
}
