-- Fifty scales from 0.01 to 1, rotated: what a metric is for.
--
-- A Gaussian in fifty dimensions, whose axes have deviations from 0.01 to 1, and
-- whose axes are not the coordinates: three reflections have mixed them. The step
-- of a trajectory must fit the narrowest axis, and its length the widest: a hundred
-- steps and more for each draw. A metric changes the units, so that all axes
-- look alike to the sampler; then a few steps do.
--
-- `unit` has no metric: 200 gradients a step. `diagonal` learns the variance of each
-- coordinate, as Stan does by default; since the axes are askew, that is no help,
-- 120 gradients and more correlated draws. `dense` learns the covariance, from
-- the same 1000 steps of warm-up: 16 gradients, that warm-up included, and ten
-- times the draws for the work. `hmc` was set by hand by somebody who knew the
-- scales, and is as good as `unit`.
--
-- Left alone, nuts takes metric = "auto": all of the covariance where there are
-- states enough to tell correlations from the noise of an estimate, by the
-- eigenvalues of the correlation matrix, and otherwise the variances. Here that is
-- the covariance.
local cs = require "chainscope"

local n = 50
-- Covariance R diag(sd^2) R', R a product of reflections.
local function rotated(sd)
  local c = {}
  for i = 1, n do
    c[i] = {}
    for j = 1, n do c[i][j] = i == j and sd(i) ^ 2 or 0 end
  end
  for k = 1, 3 do -- H = I - 2 u u' / u'u on both sides
    local u, norm = {}, 0
    for i = 1, n do u[i] = math.cos(k * i * i); norm = norm + u[i] ^ 2 end
    for _ = 1, 2 do
      local transposed = {}
      for i = 1, n do transposed[i] = {} end
      for i = 1, n do
        local dot = 0
        for j = 1, n do dot = dot + c[i][j] * u[j] end
        for j = 1, n do transposed[j][i] = c[i][j] - 2 * dot * u[j] / norm end
      end
      c = transposed
    end
  end
  local flat = {}
  for i = 1, n do
    for j = 1, n do flat[#flat + 1] = (c[i][j] + c[j][i]) / 2 end
  end
  return flat
end

local function nuts(metric)
  return { kernel = cs.kernel.nuts {}, tuner = cs.tuner.window_adaptation { metric = metric } }
end

return cs.scenario {
  title  = "Ill-conditioned, and rotated",
  shows  = "What a metric buys where scales differ a hundredfold, and which one",
  source = "Neal, MCMC using Hamiltonian dynamics, 2011, section 4.1",
  tags   = "metric ridge",

  target = cs.target.gaussian {
    dim = n, covariance = rotated(function(i) return 0.01 ^ ((n - i) / (n - 1)) end),
  },
  chains = 4, seed = 55,
  arms   = {
    unit = nuts "unit", diagonal = nuts "diagonal", dense = nuts "dense",
    hmc  = cs.kernel.hmc { step = 0.01, leapfrogs = 50, jitter = 0.2 },
  },
  budget = { steps = 2000 },
  screen = { "lesson", "trace", "tuner", "summary" },

  claims = {
    { arm = "dense", stat = "gradients", at_most = 40 },
    { arm = "unit", stat = "gradients", at_least = 100 },
    { arm = "diagonal", stat = "gradients", at_least = 80 },
    { arm = "dense", stat = "ess_per_work", at_least = 6 },
    { arm = "unit", stat = "ess_per_work", at_most = 3 },
    { arm = "diagonal", stat = "ess_per_work", at_most = 3 },
    { arm = "hmc", stat = "ess_per_work", at_most = 3 },
    { arm = "dense", stat = "rhat", at_most = 1.02 },
    { arm = "dense", stat = "sd", of = 50, near = 0.926, within = 0.12 },
  },
}
