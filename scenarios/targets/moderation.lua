-- The Great Moderation: a stochastic volatility model.
--
-- The data are the growth rates of the American economy per quarter, 1959 to 2005, in
-- percent per year. From about 1985 the swings are half as large. In the model every
-- quarter has its own deviation exp(h / 2), and h is an autoregression: mean mu, a share
-- phi of the last difference from mu, plus noise of deviation sigma. There are 191
-- parameters: one noise term z per quarter (the non-centred form) and four others. Every
-- h depends on all z before it.
--
-- Watch the map of phi and sigma. The 187 z stay nearly normal; the other four are
-- difficult. With phi near 1, mu is hardly known, and a larger phi can compensate for a
-- smaller sigma. NUTS is not an arm here because 2 to 8 % of its steps diverge.
local cs = require "chainscope"
local M = cs.math

local growth = { -- growth of real GDP, Bureau of Economic Analysis, public domain
  10, -0.5, 1.4, 8.9, -1.9, 0.7, -5.2, 2.4, 7.4, 6.4, 8.1, 7.1, 4.4, 3.7, 1, 5.2, 5,
  7.5, 3, 8.9, 4.6, 5.4, 1.1, 9.7, 5.4, 8, 9.5, 9.7, 1.3, 2.6, 3.2, 3.5, 0.1, 3.2, 3,
  8.2, 6.7, 2.7, 1.7, 6.3, 1.2, 2.5, -1.9, -0.6, 0.7, 3.5, -4.3, 10.9, 2.3, 3.2, 1.1,
  7.1, 9.4, 3.8, 6.5, 10.1, 4.6, -2.1, 3.8, -3.5, 1, -4, -1.6, -4.9, 3, 6.7, 5.2, 9, 3,
  2, 2.9, 4.6, 7.9, 7.1, -0.1, 1.4, 15.4, 3.9, 5.3, 0.7, 0.4, 2.9, 1.1, 1.3, -8.3, -0.7,
  7.3, 8.2, -3.2, 4.8, -5, -6.6, 2.2, -1.5, 0.3, 4.9, 8.9, 7.8, 8.2, 7.7, 6.8, 3.9, 3.2,
  3.8, 3.4, 6.2, 3, 3.8, 1.6, 3.8, 1.9, 2.2, 4.2, 3.5, 6.8, 2.1, 5.1, 2.1, 5.3, 3.7, 3,
  3.2, 0.9, 4.2, 1.6, 0, -3.5, -1.9, 2.7, 1.7, 1.6, 4.4, 4.2, 4.1, 4.2, 0.7, 2.6, 2.1,
  5.2, 3.9, 5.4, 2.6, 4.4, 1, 0.9, 3.3, 2.8, 2.7, 6.9, 3.5, 4.3, 3.1, 5.9, 5, 3.1, 3.8,
  3.6, 5.2, 6.9, 3.5, 3.1, 5.1, 7.1, 1, 7.7, 0.3, 2.4, -1.3, 2.6, -1.1, 1.4, 3.4, 2.1,
  2, 0.1, 1.6, 3.2, 6.6, 3.6, 2.8, 2.8, 2.9, 3.5, 4, 1.7, 3, 2.1,
}
local n = #growth

-- Returns the log variances h, quarter by quarter. The loop runs once, when the
-- function is traced.
local function path(p)
  local h = { p.z[1] * p.sigma / M.sqrt(1 - p.phi^2) }
  for t = 2, n do h[t] = p.phi * h[t - 1] + p.sigma * p.z[t] end
  return p.mu + M.pack(table.unpack(h))
end

local calm_from = 4 * (1985 - 1959) -- first quarter of 1985

local start = { phi = 0.9, sigma = 0.3, mu = 2, trend = 3, z = {} }
for t = 1, n do start.z[t] = 0 end

-- A single growth rate says little about its own standard deviation, so each h is
-- determined mostly by the other h. NUTS with its defaults, 1000 draws from each of four
-- chains, also has an R-hat of mu of 1.02 to 1.08: NUTS has not converged, and its
-- diagnostics show it.
return cs.scenario {
  title  = "The Great Moderation",
  shows  = "191 dimensions, of which only four are difficult",
  source = "Kim, Shephard and Chib 1998 (the model); Stock and Watson 2002",

  target = cs.target {
    name   = "moderation",
    params = { { phi = cs.interval(0, 1) }, { sigma = cs.positive() }, { mu = cs.real() },
               { trend = cs.real() }, { z = cs.real(n) } },
    view   = { 0.4, 1, 0, 1 },
    log_density = function(p)
      return cs.lpdf.beta(p.phi, 20, 1.5) + cs.lpdf.half_normal(p.sigma, 0.5)
             + cs.lpdf.normal(p.mu, 2, 2) + cs.lpdf.normal(p.trend, 3, 3)
             + cs.lpdf.normal(p.z, 0, 1)
             + cs.lpdf.normal(growth, p.trend, M.exp(path(p) / 2))
    end,
    generated = function(p)
      local h = path(p)
      local before = M.exp(M.mean(M.slice(h, 1, calm_from - 1)) / 2)
      local after = M.exp(M.mean(M.slice(h, calm_from, n)) / 2)
      return { before = before, after = after, ratio = after / before }
    end,
  },
  chains = 4, seed = 41, start = start,
  arms   = {
    walk = cs.kernel.random_walk { step = 0.09 },
    mala = cs.kernel.mala { step = 0.12 },
    hmc  = cs.kernel.hmc { step = 0.06, jitter = 0, leapfrogs = function(k) return 20 + k * 7 % 31 end },
  },
  budget = { log_densities = 160000, gradients = 160000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- Reference values from a method that uses no gradient and no z: Metropolis on the four
  -- other parameters, with the likelihood from 400 particles (Andrieu, Doucet and
  -- Holenstein 2010).
  claims = {
    { arm = "hmc", stat = "mean", of = "phi", near = 0.9556, within = 0.01 },
    { arm = "hmc", stat = "mean", of = "sigma", near = 0.3115, within = 0.02 },
    { arm = "hmc", stat = "mean", of = "trend", near = 3.364, within = 0.03 },
    { arm = "hmc", stat = "mean", of = "before", near = 3.977, within = 0.04 },
    { arm = "hmc", stat = "mean", of = "after", near = 1.987, within = 0.03 },
    { arm = "hmc", stat = "mean", of = "ratio", near = 0.502, within = 0.01 },
    { arm = "hmc", stat = "sd", of = "ratio", near = 0.06, within = 0.005 },
    { arm = "hmc", stat = "ess_per_work", at_least = 4 },
    { arm = "mala", stat = "ess_per_work", at_most = 3 },
    { arm = "walk", stat = "ess_per_work", at_most = 2 },
  },
}
