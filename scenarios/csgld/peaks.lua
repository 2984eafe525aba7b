-- Peaks that are no barriers.
--
-- A shallow well at -6 with a sixth of the mass, a deep one at 4. Their bottoms
-- have the energies 2.71 and 1.10. The sampler knows energies only: at x = 2.2, on
-- the slope of the deep well, it is as high as at the bottom of the other, and in
-- the same bin. That bin holds so much mass, of a place that is far away, that
-- the sampler shuns it here too. In the flattened energy a peak stands on the slope,
-- 1.1 nats high, where p has none: the paper's "bizarre peak". See `line`: U is
-- broken, the flattened energy whole.
--
-- It is not quite where the paper has it. Psi goes from one bin's weight to the
-- next, and has arrived at the upper border of the bin after. So the peak stands at
-- 4.0 with bins of width 1 (`wide`), at 3.0 with half of that (`half`), and would
-- be at 2.71 with bins as narrow as one likes.
--
-- And not each peak tells of a bottom elsewhere, as the paper says: there is one
-- more in `wide` and in `half`, at the border of the first bin, where nothing is.
-- Bins alone make it.
--
-- `half` has a fifth of the paper's rate. `coarse` has its bins at the rate 0.1:
-- steps leap over a peak half a unit wide, the weights make up for that by a peak
-- three times as high, and the mean is -1.8 in place of 2.333.
--
-- The barriers, 11.0 from the left and 12.6 from the right, are some 2 and 3 nats
-- when flattened. `sgld` begins at -6 and hardly leaves.
local cs = require "chainscope"
local wells = require "by_hand.wells"
local settings = require "paper.settings"

local u, zeta = wells.energy { 1 / 6, 5 / 6 }, 0.75
local wide = { first = 2, width = 1, n = 50 }
local half = { first = 1.5, width = 0.5, n = 100 }

local function contour(bins, rate)
  return cs.kernel.csgld {
    rate = rate, gradient_noise = 0.1, zeta = zeta, bins = bins.n, width = bins.width,
    first = bins.first, weighing = "energy",
    gain = cs.schedule.gain { scale = 1, power = 0.75, offset = 100 } }
end

-- The flattened energy by what a chain has learned.
local function flattened(chain, bins)
  return wells.flattened(u, chain:info().own.theta, bins, zeta)
end
local function barrier(bins, side)
  return wells.each(function(chain)
    return (select(side, wells.barriers(flattened(chain, bins))))
  end)
end

-- On the left slope of the deep well: its peaks, as the energies where they are,
-- those that are a tenth of a nat high; and the highest beyond the bottom's bins.
local function peaks(chain, bins)
  local now, list = flattened(chain, bins), {}
  local low, top, at = now(1), -math.huge, 1
  for i = 101, 400 do
    local x = i / 100
    local f = now(x)
    if f > top then top, at = f, x end
    if top - low > 0.1 and top - f > 0.1 then
      list[#list + 1] = { u = u(at), height = top - now(4) }
      low, top = f, -math.huge
    elseif f < low then low, top = f, -math.huge end
  end
  return list
end
local function highest(chain, bins)
  local best
  for _, peak in ipairs(peaks(chain, bins)) do
    if peak.u > 2.5 and (not best or peak.height > best.height) then best = peak end
  end
  return best or { u = 0 / 0, height = 0 / 0 }
end
local function energy_of_peak(bins) return wells.each(function(chain) return highest(chain, bins).u end) end
local function height_of_peak(bins) return wells.each(function(chain) return highest(chain, bins).height end) end
local function below(bins)
  return wells.each(function(chain)
    local n = 0
    for _, peak in ipairs(peaks(chain, bins)) do n = n + (peak.u < 2.5 and 1 or 0) end
    return n
  end)
end

return cs.scenario {
  title  = "Peaks that are no barriers",
  shows  = "Two places of one energy are one to the sampler: what stands far away bars the way here",
  source = "csgld, appendix D.2, figure 4",

  target = cs.target.mixture { weights = { 1, 5 }, means = { { -6 }, { 4 } } },
  chains = 8, seed = 7, start = { -6 },
  arms   = {
    { name = "sgld", kernel = cs.kernel.sgld { rate = 0.1, gradient_noise = 0.1 } },
    { name = "wide", kernel = contour(wide, 0.1) },
    { name = "half", kernel = contour(half, 0.02) },
    { name = "coarse", kernel = contour(half, 0.1) },
  },
  budget = { steps = 400000 },
  warmup = 50000,
  printed = settings.peaks,
  setting = "learned weights, where the figure has exact ones; number and width of the bins, which the "
    .. "appendix does not print, as in section 4.1",
  full   = { budget = { steps = 4000000 }, chains = 16 },
  screen = { "lesson", { "line", arm = "wide" }, { "bins", arm = "wide" }, { "trace", of = "x.1" }, "summary" },

  claims = {
    { arm = "wide", stat = "peak, energy", measure = energy_of_peak(wide), near = 4, within = 0.1,
      quote = "it has the same energy as \"-6\" which is a local minimum", where = "appendix D.2", note = "2.71 at -6: two borders of bins above it" },
    { arm = "half", stat = "peak, energy", measure = energy_of_peak(half), near = 3, within = 0.1 },
    { arm = "wide", stat = "peak, height", measure = height_of_peak(wide), near = 1.11, within = 0.2,
      note = "in nats, over the bottom at 4; 1.11 at rest, of small steps, by quadrature" },
    { arm = "half", stat = "peak, height", measure = height_of_peak(half), near = 1.08, within = 0.5,
      note = "1.08 at rest, of small steps, by quadrature" },
    { arm = "wide", stat = "peaks below 2.5", measure = below(wide), at_most = 0, holds = false,
      quote = "A bizarre peak always indicates that there is a stationary point of the same energy", where = "appendix D.2",
      note = "the least energy of such a point is 1.10, the next 2.71" },
    { arm = "half", stat = "peaks below 2.5", measure = below(half), at_most = 0, holds = false },
    { arm = "wide", stat = "barrier from the left", measure = barrier(wide, 1), near = 2.1, within = 0.4, note = "11.0 of U" },
    { arm = "wide", stat = "barrier from the right", measure = barrier(wide, 2), near = 2.7, within = 0.5, note = "12.6 of U" },
    { arm = "sgld", stat = "modes_mean", at_most = 1.85, only = "quick" },
    { arm = "wide", stat = "modes_visited", at_least = 2 },
    { arm = "wide", stat = "mean", of = "x.1", near = 7 / 3, within = 0.4, note = "exactly 2.333" },
    { arm = "half", stat = "mean", of = "x.1", near = 7 / 3, within = 1, only = "quick", note = "exactly 2.333" },
    { arm = "half", stat = "mean", of = "x.1", near = 7 / 3, within = 0.2, only = "full", note = "exactly 2.333" },
    { arm = "coarse", stat = "peak, height", measure = height_of_peak(half), at_least = 2.5 },
    { arm = "coarse", stat = "mean", of = "x.1", near = 7 / 3, within = 0.6, holds = false,
      note = "the rate of the paper with bins half as wide" },
  },
}
