-- Hares and lynx: the pelts that the Hudson's Bay Company bought, 1900 to 1920.
--
-- The number of hares u and of lynx v follow the equations of Lotka and Volterra,
-- u' = (alpha - beta v) u and v' = (-gamma + delta u) v. Both are known from pelts, with
-- log-normal errors. The posterior has eight parameters: four rates, two errors, and the
-- numbers in 1900. Each log density integrates the equations over 20 years, together with
-- the derivatives of the solution by the rates and the numbers.
--
-- Watch the map: hares that grow faster go with lynx that die faster, because the length of
-- the cycle is known. `nuts` (no-U-turn sampler) learns the covariance in its warm-up.
local cs = require "chainscope"

-- Thousands of pelts per year, as in Elton and Nicholson, The ten-year cycle in numbers of
-- the lynx in Canada, 1942, and Odum, Fundamentals of Ecology, 1971.
local hares = { 30, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22, 25.4, 27.1,
                40.3, 57, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7 }
local lynx = { 4, 6.1, 9.8, 35.2, 59.4, 41.7, 19, 13, 8.3, 9.1, 7.4,
               8, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6 }
local years = {}
for i = 1, 21 do years[i] = i - 1 end

local function right_side(_, y, p)
  return { (p.alpha - p.beta * y[2]) * y[1], (p.delta * y[1] - p.gamma) * y[2] }
end

return cs.scenario {
  title  = "Hares and lynx",
  shows  = "Rates of differential equations are estimated from noisy counts",
  source = "Lotka, Elements of Physical Biology, 1925; pelts: Elton and Nicholson, 1942",

  target = cs.target {
    name = "lotka_volterra",
    params = {
      { alpha = cs.positive() }, { beta = cs.positive() },
      { gamma = cs.positive() }, { delta = cs.positive() },
      { hares = cs.positive() }, { lynx = cs.positive() },
      { sigma = cs.positive(2) },
    },
    log_density = function(p)
      local y = cs.math.log(cs.ode {
        f = right_side, y0 = { p.hares, p.lynx }, times = years, method = "rk8",
        relative = 1e-5, absolute = 1e-5, p = { alpha = p.alpha, beta = p.beta, gamma = p.gamma, delta = p.delta },
      })
      local by_kind = cs.math.transpose(y)
      return cs.lpdf.normal(p.alpha, 1, 0.5) + cs.lpdf.normal(p.gamma, 1, 0.5) +
        cs.lpdf.normal(p.beta, 0.05, 0.05) + cs.lpdf.normal(p.delta, 0.05, 0.05) +
        cs.lpdf.lognormal(p.hares, math.log(10), 1) + cs.lpdf.lognormal(p.lynx, math.log(10), 1) +
        cs.lpdf.lognormal(p.sigma, -1, 1) +
        cs.lpdf.lognormal(hares, by_kind[1], p.sigma[1]) + cs.lpdf.lognormal(lynx, by_kind[2], p.sigma[2])
    end,
  },
  chains = 4, seed = 1,
  start  = { alpha = 0.6, beta = 0.03, gamma = 0.8, delta = 0.025, hares = 30, lynx = 5, sigma = { 0.3, 0.3 } },
  arms   = { nuts = cs.kernel.nuts {} },
  budget = { steps = 800 },
  screen = { { "map", quantity = { "alpha", "gamma" } }, "trace", "marginal", "summary" },

  -- Long runs (32000 draws) have these means, with errors below 0.0006; Stan's case study
  -- (Carpenter, 2018) has 0.55, 0.028, 0.80 and 0.024. A tolerance is 3 + 4.8 errors of a run, by
  -- six seeds: the verdict needs a margin of 3.18 errors, and an error from four chains may be too
  -- large by a half.
  claims = {
    { arm = "nuts", stat = "mean", of = "alpha", near = 0.5477, within = 0.012 },
    { arm = "nuts", stat = "mean", of = "beta", near = 0.0278, within = 0.00085 },
    { arm = "nuts", stat = "mean", of = "gamma", near = 0.7993, within = 0.018 },
    { arm = "nuts", stat = "mean", of = "delta", near = 0.0241, within = 0.0008 },
    { arm = "nuts", stat = "sd", of = "alpha", near = 0.0645, within = 0.0145 },
    { arm = "nuts", stat = "ess", of = "alpha", at_least = 700 },
  },
}
