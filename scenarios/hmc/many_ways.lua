-- Slices, ellipses, ensembles, guesses: seven samplers of one posterior.
--
-- How often did British coal mines explode, decade by decade? The log rates
-- are a Gaussian process, written as eleven independent normal z; counts are
-- Poisson. `nuts` uses the gradient. The others need none, and most have nothing to
-- be tuned:
--
--   slice         one coordinate after the other, uniform under the density
--   line          the same along a random direction
--   elliptical    along an ellipse through a draw of the prior
--   stretch       a chain moves along the line to another chain
--   independence  proposes draws of the prior, wherever it is
--   walk          a random walk with the covariance that its warm-up has learned
--
-- All get 300,000 evaluations. Effective draws of the worst quantity for 1000 of
-- them: nuts 75, walk 8, stretch 5, slice 1 to 2, line and elliptical 1,
-- independence 0.1. The data say much here, so the prior is a poor guide:
-- independence has one proposal of 1500 accepted, and its chains do not agree.
-- In two dimensions, or with hardly any data, the order is another. And
-- what is refused in none of them, a slice, is not for nothing: a step of
-- slice, over all coordinates, takes 56 evaluations.
--
-- The chains of stretch move by each other's states, so take its figure as the best
-- case: R-hat and effective draws take chains for independent.
local cs = require "chainscope"
local M = cs.math

-- British coal-mining disasters of ten years each, from 1851 to 1960.
local count = { 33, 33, 33, 20, 11, 10, 9, 9, 17, 11, 5 }
local n = #count
local covariance = {}
for i = 1, n do
  covariance[i] = {}
  for j = 1, n do
    covariance[i][j] = math.exp(-(i - j)^2 / 2) + (i == j and 1e-6 or 0)
  end
end
local root = M.cholesky(M.matrix(covariance))

-- Disasters a year, each decade.
local function rate(z) return M.exp(M.product(root, z)) end

return cs.scenario {
  title  = "Many ways to one posterior",
  shows  = "Samplers without a gradient or a step to set, and what they cost",
  source = "Neal 2003; Murray, Adams and MacKay 2010; Goodman and Weare 2010; data: Jarrett 1979",
  tags   = "comparison hierarchical",

  target = cs.target {
    name   = "disasters",
    params = { { z = cs.real(n) } },
    log_density = function(p)
      return cs.lpdf.normal(p.z, 0, 1) + cs.lpdf.poisson(count, 10 * rate(p.z))
    end,
    generated = function(p) return { rate = rate(p.z) } end,
  },
  chains = 24, seed = 58,
  arms   = {
    nuts         = { kernel = cs.kernel.nuts {},
                     tuner = cs.tuner.window_adaptation { steps = 300 } },
    slice        = cs.kernel.slice { width = 1, coordinates = n },
    line         = cs.kernel.slice_direction { width = 1 },
    elliptical   = cs.kernel.elliptical_slice { sd = 1 },
    stretch      = cs.kernel.stretch {},
    independence = cs.kernel.independence { sd = 1 },
    walk         = { kernel = cs.kernel.random_walk {},
                     tuner = cs.tuner.adaptive_metropolis { steps = 500 } },
  },
  budget = { log_densities = 300000, gradients = 300000 }, warmup = 100,
  screen = { "lesson", { "trace", of = "rate.1" }, "acceptance", "summary" },

  claims = {
    { arm = "nuts", stat = "rhat", at_most = 1.01 },
    { arm = "nuts", stat = "ess_per_work", at_least = 40 },
    { arm = "slice", stat = "mean", of = "rate.1", near = 3.2, within = 0.1 },
    { arm = "line", stat = "mean", of = "rate.1", near = 3.2, within = 0.1 },
    { arm = "elliptical", stat = "mean", of = "rate.1", near = 3.2, within = 0.1 },
    { arm = "stretch", stat = "mean", of = "rate.1", near = 3.2, within = 0.1 },
    { arm = "walk", stat = "mean", of = "rate.1", near = 3.2, within = 0.1 },
    { arm = "slice", stat = "ess_per_work", at_most = 6 },
    { arm = "line", stat = "ess_per_work", at_most = 6 },
    { arm = "elliptical", stat = "ess_per_work", at_most = 6 },
    { arm = "stretch", stat = "ess_per_work", at_most = 20 },
    { arm = "walk", stat = "ess_per_work", at_most = 20 },
    { arm = "independence", stat = "acceptance", at_most = 0.01 },
    { arm = "independence", stat = "ess_per_work", at_most = 1 },
    { arm = "independence", stat = "rhat", at_least = 1.1 },
  },
}
