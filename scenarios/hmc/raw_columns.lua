-- A regression on columns that are not centred: a year near 1980, an income near 42,000.
--
-- The intercept `a` is the value of y in the year 0 at an income of 0: about -680, with
-- posterior standard deviation 34. Its correlation with `b`, the slope of the year, is
-- -0.999. The standard deviation of `c`, the slope of income, is only 0.00003.
--
-- Watch: `hmc` has the largest step that `c` allows, 0.000005. It accepts nearly every
-- proposal, but after 400,000 gradients `a` is where it started (R-hat about 3 or more).
-- `diagonal` (NUTS, the No-U-Turn sampler) learns one scale per parameter, but the
-- correlations remain: it is correct, at 400 gradients per step. `nuts` learns the
-- covariance and is correct at 50 gradients per step. Another remedy is to centre and
-- scale the columns first.
local cs = require "chainscope"
local M = cs.math

-- Returns a nearly normal number: a sum of twelve uniform numbers minus six. The data are
-- the same on any machine.
local state = 7
local function noise()
  local sum = -6
  for _ = 1, 12 do
    state = state * 16807 % 2147483647
    sum = sum + state / 2147483647
  end
  return sum
end

local year, income, y = {}, {}, {}
for i = 1, 120 do
  year[i] = 1950 + i % 60
  income[i] = 42000 + 9000 * noise()
  y[i] = 12 + 0.35 * (year[i] - 1980) + 0.0004 * (income[i] - 42000) + 3 * noise()
end

return cs.scenario {
  title  = "Raw columns",
  shows  = "A warm-up that learns a metric works where no step size set by hand does",
  source = "The Stan user's guide, Efficiency tuning: standardizing predictors",
  tags   = "regression data metric",

  target = cs.target {
    name   = "raw_columns",
    params = { { a = cs.real() }, { b = cs.real() }, { c = cs.real() },
               { sigma = cs.positive() } },
    log_density = function(p)
      return cs.lpdf.normal(y, p.a + p.b * M.vector(year) + p.c * M.vector(income), p.sigma)
             + cs.lpdf.normal(p.a, 0, 10000) + cs.lpdf.half_normal(p.sigma, 10)
    end,
    generated = function(p) return { in_1980 = p.a + 1980 * p.b + 42000 * p.c } end,
  },
  chains = 4, seed = 57,
  start  = { { a = -2, b = 0, c = 0, sigma = 10 }, { a = -1, b = 0, c = 0, sigma = 20 },
             { a = 1, b = 0, c = 0, sigma = 10 }, { a = 2, b = 0, c = 0, sigma = 20 } },
  -- Many trajectories of `diagonal` reach the maximum depth. `nuts` with its defaults
  -- detects strong correlations in its warm-up and learns the covariance; nearly all of
  -- its gradients are spent in the first windows of the warm-up.
  arms   = {
    hmc = cs.kernel.hmc { step = 5e-6, leapfrogs = 50 },
    diagonal = { kernel = cs.kernel.nuts {},
                 tuner = cs.tuner.window_adaptation { metric = "diagonal" } },
    nuts = cs.kernel.nuts {},
  },
  budget = { steps = 2000 },
  screen = { "lesson", { "trace", quantity = "b" }, "tuner", "summary" },

  claims = {
    { arm = "hmc", stat = "rhat", of = "a", at_least = 1.3 },
    { arm = "hmc", stat = "mean", of = "a", at_least = -10 },
    { arm = "nuts", stat = "rhat", at_most = 1.02 },
    { arm = "nuts", stat = "mean", of = "a", near = -680, within = 4 },
    { arm = "nuts", stat = "mean", of = "in_1980", near = 11.86, within = 0.04 },
    { arm = "nuts", stat = "ess", at_least = 800 },
    { arm = "nuts", stat = "divergent", at_most = 4 },
    { arm = "diagonal", stat = "mean", of = "a", near = -680, within = 10 },
    { arm = "nuts", stat = "gradients", at_most = 100 },
    { arm = "diagonal", stat = "gradients", at_least = 200 },
  },
}
