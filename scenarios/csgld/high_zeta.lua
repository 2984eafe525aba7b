-- High zeta: contour SGLD with few and wide energy bins.
--
-- Contour SGLD (a stochastic gradient sampler) learns a weight theta for each energy bin
-- and samples p / theta^zeta. Here the barrier between two wells is sixty times the
-- temperature of 0.2, and a bin of one nat holds e^5 times the mass of the next. The
-- masses of such bins are too small to be learned.
--
-- Watch in `bins` which weights leave their starting values, and in `trace` which chains
-- cross 0. `low` (zeta 0.75) hardly crosses, like `sgld`. The arms below have zeta 20.
-- `stuck` (Eq. 10 of the csgld paper) changes theta in proportion to theta^20, which is
-- almost 0. `root` (Eq. 15) crosses most often, but its weights overshoot. `extra` (Eq.
-- 57) adds more to visited bins; its mean is within 0.3 of the exact mean, 2.836.

-- Large networks are more extreme: there the csgld paper has bins of width 1000, a
-- temperature of 0.01 and a zeta of a million. The panel `distance` refers to
-- temperature 1.

local cs = require "chainscope"
local wells = require "by_hand.wells"
local settings = require "paper.settings"

-- In `low` the weights of bins that it never visits shrink to nothing. In `stuck`
-- theta^20 is (1/20)^20 at the start. `root` uses theta itself in place of theta^20, so
-- it should learn about the mass to the power 1 / zeta, whose log falls by 1.2 from the
-- first bin to the sixth. Instead its log theta falls by 44 (by 178 after 4 million
-- steps): the multipliers alternate between their limits, and the chains disagree on the
-- mean. (With a constant gain of 0.0003 the fall would be 12.) `extra` adds rho = 1 times
-- the squared gain to each visit, enough to tilt log theta by 1 / (zeta T) per bin, which
-- flattens the energy. As stated in the paper, the sum of theta in Eq. 57 grows without
-- bound; here it is normalised to 1 at each step.
local heat, zeta = 0.2, 20

local function contour(more)
  local with = { rate = 0.05, temperature = heat, gradient_noise = 0.1, zeta = zeta,
                 bins = 20, first = 2, width = 1,
                 gain = cs.schedule.gain { scale = 10, power = 0.75, offset = 1000 } }
  for name, value in next, more do with[name] = value end
  return cs.kernel.csgld(with)
end

local crossings = wells.each(wells.crossings)

-- The fall of log theta from the first bin to the sixth, averaged over chains.
local fall = wells.each(function(chain)
  local theta = chain:info().own.theta
  return math.log(theta[1] / theta[6])
end)

-- Returns two values by quadrature: the mean of x, and the fall of log(mass^(1 /
-- zeta)) from the first bin to the sixth.
local function exact()
  local u, sum, all, mass = wells.energy { 0.4, 0.6 }, 0, 0, { [1] = 0, [6] = 0 }
  for i = 1, 12000 do
    local x = -11 + (i - 0.5) / 600
    local now = u(x)
    local p, j = math.exp((1.43 - now) / heat), wells.bin({ first = 2, width = 1, n = 20 }, now)
    sum, all = sum + x * p, all + p
    if mass[j] then mass[j] = mass[j] + p end
  end
  return sum / all, math.log(mass[1] / mass[6]) / zeta
end

-- The error of a chain's weighted mean, averaged over chains.
local off = wells.each(function(chain) return math.abs(wells.weighted(chain) - 2.836) end)

local setting = "two wells instead of a network on images: bins 5 temperatures wide instead of 100,000"

return cs.scenario {
  title  = "High zeta",
  shows  = "Masses of wide bins are too small to learn: which update still drives a chain uphill",
  source = "csgld, appendix D.4, Eqs. 10, 15 and 57",

  target = cs.target.mixture {},
  chains = 8, seed = 10, start = { -6 },
  arms   = {
    { name = "sgld", kernel = cs.kernel.sgld { rate = 0.05, temperature = heat, gradient_noise = 0.1 } },
    { name = "low", kernel = contour { zeta = 0.75 } },
    { name = "stuck", kernel = contour {} },
    { name = "root", kernel = contour { update = "plain" } },
    { name = "extra", kernel = contour { update = "high_zeta", rho = 1 } },
  },
  budget = { steps = 400000 },
  warmup = 0,
  printed = settings.high_zeta,
  setting = setting,
  full   = { budget = { steps = 4000000 }, chains = 16, setting = setting },
  screen = { "lesson", { "bins", arm = "extra" }, { "trace", quantity = "x.1", arm = "extra" }, "weights", "summary" },

  claims = {
    { arm = "sgld", stat = "crossings", measure = crossings, at_most = 0 },
    { arm = "low", stat = "crossings", measure = crossings, at_most = 20,
      quote = "the algorithm will perform similarly to SGLD, except with different weights", where = "appendix D.4" },
    { arm = "stuck", stat = "fall of log theta", measure = fall, at_most = 0.001,
      quote = "is slow since ... is close to 0", where = "appendix D.4",
      note = "from the first bin to the sixth" },
    { arm = "stuck", stat = "crossings", measure = crossings, at_most = 0 },
    { arm = "extra", stat = "crossings", measure = crossings, at_least = 50,
      quote = "penalized more on the higher energy regions, and thus accelerates the convergence in the early period", where = "appendix D.4",
      note = "between draws 128 steps apart" },
    { arm = "extra", stat = "fall of log theta", measure = fall, near = 1.25, within = 0.25,
      note = "5 / (zeta T) for a flat histogram" },
    { arm = "extra", stat = "mean(x.1) by quadrature", near = 2.836, within = 0.001,
      measure = wells.quadrature(function() return (exact()) end) },
    { arm = "extra", stat = "error of a chain's mean", measure = off, at_most = 1 },
    { arm = "root", stat = "crossings", measure = crossings, at_least = 50 },
    { arm = "root", stat = "its fall, of the roots of masses", near = 1.2, within = 0.3,
      measure = wells.quadrature(function() return (select(2, exact())) end) },
    { arm = "root", stat = "fall of log theta", measure = fall, at_most = 5, holds = false,
      quote = "converges to a much smoother estimate", where = "appendix D.4", paper = "the mass to the power 1 / zeta" },
    { arm = "root", stat = "error of a chain's mean", measure = off, at_least = 0.6, only = "full" },
  },
}
