-- A Gaussian process: signal or noise?
--
-- Eight points. Is it a curve that wiggles, measured well, or one that just
-- rises, measured badly? A Gaussian process says both: with a short length and
-- little noise it goes through the points, with a long length and much noise it
-- passes between them. The posterior of length and noise has a mode for each,
-- and few points cannot decide: two to one for the wiggle.
--
-- What is hard is the way from one to the other, along a bent pass (the map:
-- length to the right, noise upwards). Chains that take small steps stay long
-- on one side; their R-hat looks bad for good reason.
--
-- NUTS with its defaults crosses the pass (R-hat below 1.01, and the share of the
-- wiggle within 0.02 of right), though 0.5 to 2 % of its steps diverge: a part of the
-- posterior may be out of its reach. So it is no arm here.
--
-- The function itself is integrated out: at the data it is normal, of covariance
-- amplitude^2 exp(-d^2 / (2 length^2)) + noise^2, and what is left is a matrix of
-- 8 x 8, its Cholesky factor and a triangular system, all on the tape.
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

return cs.scenario {
  title  = "Signal or noise?",
  shows  = "Few points, two explanations: modes that small steps rarely connect",
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

  -- By quadrature over the three logarithms: length 2.189, noise 0.5533,
  -- amplitude 1.479, a length below 1.8 with probability 0.6659.
  claims = {
    { arm = "walk", stat = "mean", of = "wiggly", near = 0.6659, within = 0.03 },
    { arm = "mala", stat = "mean", of = "wiggly", near = 0.6659, within = 0.03 },
    { arm = "hmc", stat = "mean", of = "wiggly", near = 0.6659, within = 0.03 },
    { arm = "hmc", stat = "mean", of = "length", near = 2.189, within = 0.1 },
    { arm = "walk", stat = "mean", of = "noise", near = 0.5533, within = 0.03 },
    { arm = "walk", stat = "mean", of = "amplitude", near = 1.479, within = 0.04 },
    { arm = "small", stat = "rhat", of = "noise", at_least = 1.01,
      note = "83 % accepted, and the chains disagree: rightly so" },
    { arm = "small", stat = "ess_per_work", at_most = 2 },
    { arm = "walk", stat = "ess_per_work", at_least = 6,
      note = "what crosses the pass is length of step, not a gradient" },
  },
}
