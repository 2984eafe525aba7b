-- Peaks of the flattened energy that are not barriers of the target.
--
-- The target has a shallow well at -6 with a sixth of the mass, and a deep well at 4.
-- Contour SGLD learns the mass of each energy bin and avoids bins with a large mass. At x
-- = 2.2, on the slope of the deep well, the energy is 2.71, as at the bottom of the
-- shallow well. So both places are in one bin with a large mass, and both are avoided.
-- The flattened energy has a peak of 1.1 nats on the slope, where the energy has none.
-- This is the "bizarre peak" of the csgld paper.
--
-- Watch `line`: U = -log p (broken) and the flattened energy (solid). With bins of width
-- 1 (`wide`) the peak is at the energy 4.0, and with bins of half that width (`half`) at
-- 3.0. With infinitely narrow bins the peak would be at 2.71.

-- The bottom of the deep well has the energy 1.10. `coarse` has the bins of `half` at
-- the rate of `wide`; its mean is -1.8 instead of 2.333.

local cs = require "chainscope"
local wells = require "by_hand.wells"
local settings = require "paper.settings"

-- Psi interpolates from one bin's weight to the next and reaches a weight at the upper
-- border of its bin; this shifts the peak. Not every peak corresponds to another minimum,
-- as the paper says: `wide` and `half` have one more peak at the border of the first bin,
-- caused only by the bins. `half` has a fifth of the paper's rate. In `coarse`, steps
-- cross a peak half a unit wide, and the weights compensate with a peak three times as
-- high. The barrier is 11.0 from the left and 12.6 from the right. When flattened, it is
-- about 2 nats from the left and 3 nats from the right. `sgld` starts at -6 and hardly
-- leaves.
local u, zeta = wells.energy { 1 / 6, 5 / 6 }, 0.75
local wide = { first = 2, width = 1, n = 50 }
local half = { first = 1.5, width = 0.5, n = 100 }

local function contour(bins, rate)
  return cs.kernel.csgld {
    rate = rate, gradient_noise = 0.1, zeta = zeta, bins = bins.n, width = bins.width,
    first = bins.first, weighing = "energy",
    gain = cs.schedule.gain { scale = 1, power = 0.75, offset = 100 } }
end

-- Returns the flattened energy with the weights that a chain has learned.
local function flattened(chain, bins)
  return wells.flattened(u, chain:info().own.theta, bins, zeta)
end
local function barrier(bins, side)
  return wells.each(function(chain)
    return (select(side, wells.barriers(flattened(chain, bins))))
  end)
end

-- Returns the energies and heights of the peaks on the left slope of the deep well that
-- are at least 0.1 nats high. The function `highest` returns the highest of the peaks
-- above the bins at the bottom of the well.
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
  title  = "Peaks that are not barriers",
  shows  = "The sampler cannot distinguish points of equal energy, so a well causes a distant peak",
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
  setting = "learned weights, where the paper's figure has exact ones; number and width of the bins, which the "
    .. "appendix does not print, as in section 4.1",
  full   = { budget = { steps = 4000000 }, chains = 16 },
  screen = { "lesson", { "line", arm = "wide" }, { "bins", arm = "wide" }, { "trace", quantity = "x.1" }, "summary" },

  claims = {
    { arm = "wide", stat = "peak, energy", measure = energy_of_peak(wide), near = 4, within = 0.1,
      quote = "it has the same energy as \"-6\" which is a local minimum", where = "appendix D.2", note = "2.71 at -6; the peak is two bin borders above this energy" },
    { arm = "half", stat = "peak, energy", measure = energy_of_peak(half), near = 3, within = 0.1 },
    { arm = "wide", stat = "peak, height", measure = height_of_peak(wide), near = 1.11, within = 0.2,
      note = "in nats, above the bottom at 4; 1.11 at the stationary point for small steps, by quadrature" },
    { arm = "half", stat = "peak, height", measure = height_of_peak(half), near = 1.08, within = 0.5,
      note = "1.08 at the stationary point for small steps, by quadrature" },
    { arm = "wide", stat = "peaks below 2.5", measure = below(wide), at_most = 0, holds = false,
      quote = "A bizarre peak always indicates that there is a stationary point of the same energy", where = "appendix D.2",
      note = "the stationary points of U have the energies 1.10 and 2.71, not this energy" },
    { arm = "half", stat = "peaks below 2.5", measure = below(half), at_most = 0, holds = false },
    { arm = "wide", stat = "barrier from the left", measure = barrier(wide, 1), near = 2.1, within = 0.4, note = "U: 11.0" },
    { arm = "wide", stat = "barrier from the right", measure = barrier(wide, 2), near = 2.7, within = 0.5, note = "U: 12.6" },
    { arm = "sgld", stat = "modes_mean", at_most = 1.85, only = "quick" },
    { arm = "wide", stat = "modes_visited", at_least = 2 },
    { arm = "wide", stat = "mean", of = "x.1", near = 7 / 3, within = 0.4, note = "exact: 2.333" },
    { arm = "half", stat = "mean", of = "x.1", near = 7 / 3, within = 1, only = "quick", note = "exact: 2.333" },
    { arm = "half", stat = "mean", of = "x.1", near = 7 / 3, within = 0.2, only = "full", note = "exact: 2.333" },
    { arm = "coarse", stat = "peak, height", measure = height_of_peak(half), at_least = 2.5 },
    { arm = "coarse", stat = "mean", of = "x.1", near = 7 / 3, within = 0.6, holds = false,
      note = "the paper's rate with bins half as wide" },
  },
}
