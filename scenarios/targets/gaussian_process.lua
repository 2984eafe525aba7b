-- A Gaussian process: signal or noise?
--
-- The data are eight points: either accurate measurements of a curve with many bends, or
-- noisy measurements of a simple rise. A Gaussian process with a short length scale and
-- little noise passes through the points; with a long length scale and much noise it
-- passes between them. The posterior has one mode for each explanation, with odds of two
-- to one for the first, because eight points cannot decide.
--
-- Watch the map (length to the right, noise upwards): the modes are connected by a
-- narrow curved pass. Chains with small steps stay long on one side, and their R-hat is
-- rightly large. NUTS (the no-U-turn sampler) is not an arm here because 0.5 to 2 % of
-- its steps diverge.
local cs = require "chainscope"
local M = cs.math

local x = { -3.8, -2.1, -1.9, -0.8, 0.5, 1.5, 2.3, 3.4 }
local y = { -1.2, -1.6, -1.2, 0.5, -0.5, 0.2, 1.7, 1.8 }
local n = #x

local square, identity, zero = {}, {}, {}
for i = 1, n do
  square[i], identity[i], zero[i] = {}, {}, 0
  for j = 1, n do
    square[i][j] = (x[i] - x[j])^2
    identity[i][j] = i == j and 1 or 0
  end
end
square, identity = M.matrix(square), M.matrix(identity)

-- NUTS with its defaults crosses the pass (R-hat below 1.01, and `wiggly` within 0.02 of
-- the exact value), but its divergent steps mean that it may miss a part of the
-- posterior. The function values are integrated out: the data are normal with covariance
-- amplitude^2 exp(-d^2 / (2 length^2)) + noise^2. The density needs the Cholesky factor
-- of an 8 x 8 matrix and a triangular solve, both differentiated automatically.
return cs.scenario {
  title  = "Signal or noise?",
  shows  = "Few points, two explanations: two modes between which small steps rarely cross",
  source = "Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, figure 5.5",

  target = cs.target {
    name   = "gaussian_process",
    params = { { length = cs.positive() }, { noise = cs.positive() },
               { amplitude = cs.positive() } },
    view   = { 0, 8, 0, 2 },
    log_density = function(p)
      local covariance = p.amplitude^2 * M.exp(square * (-0.5 / p.length^2))
                         + identity * (p.noise^2 + 1e-9)
      return cs.lpdf.lognormal(p.length, 0.7, 1) + cs.lpdf.half_normal(p.noise, 1)
             + cs.lpdf.half_normal(p.amplitude, 2)
             + cs.lpdf.multi_normal_cholesky(y, zero, M.cholesky(covariance))
    end,
    generated = function(p) return { wiggly = M.lt(p.length, 1.8) } end,
  },
  chains = 8, seed = 4,
  arms   = {
    walk  = cs.kernel.random_walk { step = 0.6 },
    small = cs.kernel.random_walk { step = 0.1 },
    mala  = cs.kernel.mala { step = 0.3 },
    hmc   = cs.kernel.hmc { step = 0.25, jitter = 0, leapfrogs = function(k) return 4 + k * 5 % 9 end },
  },
  budget = { log_densities = 200000, gradients = 200000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- Exact values, by quadrature over the three logarithms: the means are 2.189 for
  -- length, 0.5533 for noise and 1.479 for amplitude, and P(length < 1.8) = 0.6659.
  claims = {
    { arm = "walk", stat = "mean", of = "wiggly", near = 0.6659, within = 0.03 },
    { arm = "mala", stat = "mean", of = "wiggly", near = 0.6659, within = 0.03 },
    { arm = "hmc", stat = "mean", of = "wiggly", near = 0.6659, within = 0.03 },
    { arm = "hmc", stat = "mean", of = "length", near = 2.189, within = 0.1 },
    { arm = "walk", stat = "mean", of = "noise", near = 0.5533, within = 0.03 },
    { arm = "walk", stat = "mean", of = "amplitude", near = 1.479, within = 0.04 },
    { arm = "small", stat = "rhat", of = "noise", at_least = 1.01,
      note = "83 % accepted, but the chains disagree: they have not mixed" },
    { arm = "small", stat = "ess_per_work", at_most = 2 },
    { arm = "walk", stat = "ess_per_work", at_least = 6,
      note = "long steps, not gradients, cross the pass" },
  },
}
