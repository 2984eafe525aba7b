-- Why a sampler needs a metric: fifty scales from 0.01 to 1 along rotated axes.
--
-- The target is a Gaussian in fifty dimensions. Its principal axes have standard
-- deviations from 0.01 to 1 and are not parallel to the coordinates. The leapfrog step
-- must suit the narrowest axis and the trajectory must suit the widest, so a draw takes
-- more than a hundred steps. A metric rescales the space so that all axes look alike;
-- then a few steps are enough. `unit` is NUTS (the No-U-Turn sampler) without a metric.
-- `diagonal` learns the variance of each coordinate, as Stan does by default, which does
-- not help here. `dense` learns the whole covariance in the same 1000 warm-up steps and
-- gives ten times the effective draws for the same work. `hmc`, set by hand from the
-- known scales, is as good as `unit`.
local cs = require "chainscope"

local n = 50
-- Returns the covariance R diag(sd^2) R', where R is a product of reflections.
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

-- Gradients per step: 200 for `unit`; 120 for `diagonal`, whose draws are more
-- correlated; 16 for `dense`, warm-up included. `diagonal` does not help because the axes
-- are rotated. By default the metric of nuts is "auto": the whole covariance if there are
-- enough states to distinguish correlations from estimation noise (by the eigenvalues of
-- the correlation matrix), and otherwise the variances. Here "auto" would choose the
-- covariance.
local function nuts(metric)
  return { kernel = cs.kernel.nuts {}, tuner = cs.tuner.window_adaptation { metric = metric } }
end

return cs.scenario {
  title  = "Ill-conditioned and rotated",
  shows  = "How much each metric helps where scales differ by a factor of 100",
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
