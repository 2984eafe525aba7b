-- Seven samplers of one posterior: slices, ellipses, ensembles and others.
--
-- How often did disasters happen in British coal mines, decade by decade? The log rates
-- are a Gaussian process, computed from eleven independent normal z; the counts are
-- Poisson. Only `nuts` (the No-U-Turn sampler) uses the gradient, and most of the others
-- have nothing to tune. All make 300,000 evaluations.
--
-- Watch the effective draws of the worst quantity. Per 1000 evaluations there are 75 for
-- nuts, 8 for walk, 5 for stretch, 1 to 2 for slice, 1 for line, 1 for elliptical and 0.1
-- for independence. In two dimensions, or with few data, the order is different. The data
-- are informative, so draws from the prior are poor proposals: `independence` accepts one
-- in 1500, and its chains do not agree.
local cs = require "chainscope"
local M = cs.math

-- The number of British coal-mining disasters in each decade from 1851 to 1960.
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

-- Returns the rate of disasters per year, for each decade.
local function rate(z) return M.exp(M.product(root, z)) end

return cs.scenario {
  title  = "Many ways to one posterior",
  shows  = "Samplers that need no gradient or no tuning, and their cost",
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
  -- `slice` updates one coordinate after the other, uniformly under the density; `line`
  -- does the same along a random direction; `elliptical` moves on an ellipse through a
  -- draw from the prior; `stretch` moves a chain along the line to another chain;
  -- `independence` proposes draws from the prior; `walk` is a random walk with the
  -- covariance learned in its warm-up. Slice samplers reject nothing, but this is not
  -- free: a step of `slice` over all coordinates takes 56 evaluations. The chains of
  -- `stretch` depend on each other's states, but R-hat and ESS assume independent chains,
  -- so the ESS of `stretch` is an upper bound.
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
  screen = { "lesson", { "trace", quantity = "rate.1" }, "acceptance", "summary" },

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
