-- Salmonella: counts with more variance than a Poisson distribution allows.
--
-- Quinoline makes bacteria mutate, and large doses kill them: the number of colonies on
-- a plate first rises with the dose, then falls. There are three plates at each of six
-- doses. The log rate is alpha + beta * log(dose + 10) + gamma * dose + sigma * z, with
-- a random effect z per plate. With this variation, is the rise still significant?
--
-- The raw regressors are nearly collinear, one is in the hundreds, and gamma is about
-- -0.001, so a sampler would need a step per coordinate. Here each regressor is shifted
-- and scaled to mean 0 and deviation 1. Their correlation of 0.87 remains (the ridge of
-- beta and gamma in the map), and so does a small funnel of sigma and eighteen z. Try the
-- raw regressors: in `regressors`, replace `mean` by 0 and `sd` by 1. Which step works?
local cs = require "chainscope"
local M = cs.math

local dose = { 0, 10, 33, 100, 333, 1000 }
local colonies = { 15, 21, 29,  16, 18, 21,  16, 26, 33,  27, 41, 60,  33, 38, 41,  20, 27, 42 }

-- Returns f(dose) for each plate, scaled to mean 0 and standard deviation 1. Also returns
-- the standard deviation before scaling.
local function regressors(f)
  local list, mean, square = {}, 0, 0
  for _, x in ipairs(dose) do
    mean, square = mean + f(x) / 6, square + f(x)^2 / 6
  end
  local sd = math.sqrt(square - mean^2)
  for i = 1, 18 do list[i] = (f(dose[(i + 2) // 3]) - mean) / sd end
  return M.vector(list), sd
end
local rise, rise_sd = regressors(function(x) return math.log(x + 10) end)
local fall, fall_sd = regressors(function(x) return x end)

-- A random start does not work: where a rate is e^5 times too large, the gradient makes
-- every proposal fail.
local start = { a = 3.3, b = 0, g = 0, sigma = 0.3, z = {} }
for i = 1, 18 do start.z[i] = 0 end

return cs.scenario {
  title  = "Salmonella",
  shows  = "Poisson regression with a random effect: scales, a ridge and a funnel",
  source = "Breslow 1984; BUGS examples, volume 1, salm",

  target = cs.target {
    name   = "salmonella",
    params = { { b = cs.real() }, { g = cs.real() }, { a = cs.real() },
               { sigma = cs.positive() }, { z = cs.real(18) } },
    view   = { -0.2, 1.4, -1.4, 0.2 },
    log_density = function(p)
      local eta = p.a + p.b * rise + p.g * fall + p.sigma * p.z
      return cs.lpdf.normal(p.a, 0, 10) + cs.lpdf.normal(p.b, 0, 10)
             + cs.lpdf.normal(p.g, 0, 10) + cs.lpdf.half_normal(p.sigma, 1)
             + cs.lpdf.normal(p.z, 0, 1) + cs.lpdf.poisson_log(colonies, eta)
    end,
    generated = function(p)
      return { beta = p.b / rise_sd, gamma = p.g / fall_sd }
    end,
  },
  chains = 4, seed = 37, start = start,
  arms   = {
    walk = cs.kernel.random_walk { step = 0.07 },
    mala = cs.kernel.mala { step = 0.06 },
    hmc  = cs.kernel.hmc { step = 0.05, leapfrogs = 30 },
    nuts = cs.kernel.nuts {},
  },
  budget = { log_densities = 200000, gradients = 200000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- Reference values from a Gibbs sampler that draws the log rates of the plates. BUGS,
  -- with flatter priors, gave beta 0.311 (deviation 0.099) and gamma -0.00097 (0.00044).
  claims = {
    { arm = "hmc", stat = "mean", of = "beta", near = 0.3131, within = 0.015, paper = "0.311" },
    { arm = "hmc", stat = "sd", of = "beta", near = 0.1047, within = 0.012, note = "the paper: 0.099" },
    { arm = "hmc", stat = "mean", of = "gamma", near = -0.00098, within = 0.00004,
      paper = "-0.00097" },
    { arm = "hmc", stat = "mean", of = "sigma", near = 0.280, within = 0.01, note = "the paper: 0.258" },
    { arm = "hmc", stat = "mean", of = "a", near = 3.305, within = 0.01 },
    { arm = "hmc", stat = "ess_per_work", at_least = 2.5 },
    { arm = "mala", stat = "ess_per_work", at_most = 1.5 },
    { arm = "walk", stat = "ess_per_work", at_most = 1.5 },
    { arm = "nuts", stat = "mean", of = "beta", near = 0.3131, within = 0.015 },
    { arm = "nuts", stat = "mean", of = "sigma", near = 0.280, within = 0.015 },
    { arm = "nuts", stat = "rhat", at_most = 1.02 },
    { arm = "nuts", stat = "ess", of = "beta", at_least = 5000 },
  },
}
