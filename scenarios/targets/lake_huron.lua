-- Lake Huron: is there a mean level to which the lake returns?
--
-- The model of the lake's yearly level from 1875 to 1972 is an autoregression: the mean
-- mu, plus phi times last year's difference from mu, plus noise of deviation sigma. With
-- phi = 1 the lake would have no mean level, and the data hardly exclude that.
--
-- Watch the map (phi to the right, mu upwards). The nearer phi is to 1, the less the data
-- say about mu, so the posterior widens like a trumpet. Chains whose step in mu suits the
-- posterior at phi = 0.8 are slow in the wide part. Because phi is declared as
-- cs.interval(-1, 1), no proposal leaves the range of phi.
local cs = require "chainscope"
local M = cs.math

local feet = {
  580.38, 581.86, 580.97, 580.80, 579.79, 580.39, 580.42, 580.82, 581.40, 581.32, 581.44,
  581.68, 581.17, 580.53, 580.01, 579.91, 579.14, 579.16, 579.55, 579.67, 578.44, 578.24,
  579.10, 579.09, 579.35, 578.82, 579.32, 579.01, 579.00, 579.80, 579.83, 579.72, 579.89,
  580.01, 579.37, 578.69, 578.19, 578.67, 579.55, 578.92, 578.09, 579.37, 580.13, 580.14,
  579.51, 579.24, 578.66, 578.86, 578.05, 577.79, 576.75, 576.75, 577.82, 578.64, 580.58,
  579.48, 577.38, 576.90, 576.94, 576.24, 576.84, 576.85, 576.90, 577.79, 578.18, 577.51,
  577.23, 578.42, 579.61, 579.05, 579.26, 579.22, 579.38, 579.10, 577.95, 578.12, 579.75,
  580.85, 580.41, 579.96, 579.61, 578.76, 578.18, 577.21, 577.13, 579.10, 578.25, 577.91,
  576.89, 575.96, 576.80, 577.68, 578.38, 578.52, 579.74, 579.31, 579.89, 579.96,
}
local level, n = M.vector(feet) - 579, #feet
local before, after = M.slice(level, 1, n - 1), M.slice(level, 2, n)

return cs.scenario {
  title  = "Lake Huron",
  shows  = "With an autocorrelation near 1 the mean is unknown: the map shows a trumpet",
  source = "Brockwell and Davis, Time Series: Theory and Methods, 1991, series A",

  target = cs.target {
    name   = "lake_huron",
    params = { { phi = cs.interval(-1, 1) }, { mu = cs.real() }, { sigma = cs.positive() } },
    view   = { 0.6, 1, -4, 4 },
    -- The likelihood is exact: it includes the first year, which has the standard
    -- deviation of the stationary process, sigma / sqrt(1 - phi^2).
    log_density = function(p)
      local lake = p.sigma / M.sqrt(1 - p.phi^2)
      return cs.lpdf.normal(p.mu, 0, 5) + cs.lpdf.half_normal(p.sigma, 5)
             + cs.lpdf.normal(level[1], p.mu, lake)
             + cs.lpdf.normal(after, p.mu + p.phi * (before - p.mu), p.sigma)
    end,
  },
  chains = 4, seed = 40,
  start  = { phi = 0.8, mu = 0, sigma = 0.7 },
  arms   = {
    walk = cs.kernel.random_walk { step = 0.3 },
    mala = cs.kernel.mala { step = 0.2 },
    hmc  = cs.kernel.hmc { step = 0.13, leapfrogs = 8 },
    nuts = cs.kernel.nuts {},
  },
  budget = { log_densities = 200000, gradients = 200000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- By quadrature over phi and sigma (mu can be integrated by hand): phi has the mean
  -- 0.8560 (deviation 0.0567), mu 0.1503 (0.7112), sigma 0.7305 (0.0536).
  claims = {
    { arm = "hmc", stat = "mean", of = "phi", near = 0.856, within = 0.006 },
    { arm = "hmc", stat = "sd", of = "phi", near = 0.0567, within = 0.006 },
    { arm = "hmc", stat = "mean", of = "mu", near = 0.1503, within = 0.15 },
    { arm = "hmc", stat = "sd", of = "mu", near = 0.7112, within = 0.35,
      note = "dominated by rare visits to phi near 1" },
    { arm = "hmc", stat = "mean", of = "sigma", near = 0.7305, within = 0.005 },
    { arm = "mala", stat = "mean", of = "phi", near = 0.856, within = 0.006 },
    { arm = "walk", stat = "mean", of = "phi", near = 0.856, within = 0.006 },
    { arm = "hmc", stat = "ess", of = "sigma", at_least = 1500 },
    { arm = "mala", stat = "ess_per_work", at_most = 5 },
    { arm = "nuts", stat = "mean", of = "phi", near = 0.856, within = 0.006 },
    { arm = "nuts", stat = "mean", of = "sigma", near = 0.7305, within = 0.005 },
    { arm = "nuts", stat = "rhat", at_most = 1.02 },
    { arm = "nuts", stat = "ess", of = "sigma", at_least = 3000 },
  },
}
