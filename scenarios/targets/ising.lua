-- The critical point of the Ising model: single spins against clusters.
--
-- Neighbouring spins tend to be equal, and heat disturbs them. At the critical point,
-- beta = log(1 + sqrt 2) / 2, there are clusters of all sizes. A kernel that updates one
-- spin at a time is slow to turn a large cluster: the autocorrelation time of the
-- magnetisation grows like the side of the lattice to the power 2.17 (critical slowing
-- down). The kernel of Swendsen and Wang divides the lattice into clusters at random and
-- flips whole clusters; Wolff's kernel grows one cluster and flips it.
--
-- Watch `summary`: all arms have the exact mean energy (Kaufman 1949), but they need
-- different times. Try beta = 0.3 or 0.6, or double the side and compare how much slower
-- each kernel becomes.

-- Work is counted in sweeps. The number of sweeps is the number of visits to a site and
-- its neighbours, divided by the number of sites.

local cs = require "chainscope"
local side = 16
local beta = math.log(1 + math.sqrt(2)) / 2

local function log_z(b) return cs.target.ising { rows = side, beta = b }.log_z end

-- The exact mean of log p = beta * sum of s s', computed from the derivative of log Z.
local mean_u = beta * (log_z(beta + 1e-4) - log_z(beta - 1e-4)) / 2e-4

local function magnetisation(draw)
  local ups = 0
  for i = 1, side^2 do ups = ups + draw[i] end
  return math.abs(2 * ups / side^2 - 1)
end

-- Returns the autocorrelation time, which is 1/2 plus the sum of the autocorrelations
-- up to a lag of five times the autocorrelation time (Sokal 1989).
local function time_of(m)
  local n, mean, tau, variance = #m, 0, 0.5, nil
  for _, x in ipairs(m) do mean = mean + x / n end
  for lag = 0, n // 10 do
    local sum = 0
    for i = 1, n - lag do sum = sum + (m[i] - mean) * (m[i + lag] - mean) end
    variance = variance or sum
    if lag > 0 then tau = tau + sum / variance end
    if lag >= 5 * tau then break end
  end
  return tau
end

-- Returns the autocorrelation time in sweeps: the mean over the chains, its standard
-- error, the degrees of freedom.
local function slowness(arm)
  local sweeps = arm.site_differences / (#arm.chains * arm.steps * side^2)
  local sum, squares = 0, 0
  for c = 1, #arm.chains do
    local m = {}
    for i, draw in ipairs((arm:chain(c):draws())) do m[i] = magnetisation(draw) end
    local tau = sweeps * time_of(m)
    sum, squares = sum + tau, squares + tau^2
  end
  local n = #arm.chains
  local mean = sum / n
  return mean, math.sqrt(math.max(squares / n - mean^2, 0) / (n - 1)), n - 1
end

return cs.scenario {
  title  = "The critical point",
  shows  = "At the critical point flipping single spins is slow, flipping whole clusters is fast",
  source = "Swendsen and Wang 1987; Wolff 1989",

  target = cs.target.ising { rows = side, beta = beta },
  chains = 8, seed = 5,
  arms   = {
    gibbs    = cs.kernel.block_gibbs {},
    clusters = cs.kernel.swendsen_wang {},
    wolff    = cs.kernel.wolff {},
  },
  budget = { steps = 4000 },
  screen = { "picture", "energy", "trace", "summary" },

  claims = {
    { arm = "gibbs", stat = "sweeps to forget |m|", measure = slowness, at_least = 10 },
    { arm = "clusters", stat = "sweeps to forget |m|", measure = slowness, at_most = 3,
      note = "it grows only like the side to the power 0.35 (Swendsen and Wang 1987)" },
    { arm = "wolff", stat = "sweeps to forget |m|", measure = slowness, at_most = 1.5 },
    { arm = "gibbs", stat = "log_density", near = mean_u, within = 0.05 * mean_u, exact = mean_u },
    { arm = "clusters", stat = "log_density", near = mean_u, within = 0.02 * mean_u, exact = mean_u },
    { arm = "wolff", stat = "log_density", near = mean_u, within = 0.02 * mean_u, exact = mean_u },
  },
}
