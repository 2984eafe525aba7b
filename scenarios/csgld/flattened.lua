-- The flattened energy landscape that contour SGLD samples.
--
-- Contour SGLD (a stochastic gradient sampler) learns Psi(U), an estimate of the mass at
-- energies near U = -log p, and samples p / Psi(U)^zeta. This distribution has the energy
-- U + zeta log Psi(U). Between the wells of contour.lua the barrier of U is 12 nats from
-- the right and 11.6 from the left. With zeta 0.75 and exact weights the flattened
-- barrier is 2.6 nats from the right and 2.2 from the left. With learned weights the
-- barrier is 2.4 nats from the right and 2.0 from the left.
--
-- Watch `line`: U (broken) and the flattened energy (solid), with the barriers in nats.
-- `contour` has the settings of the csgld paper. `forward` computes the slope of log Psi
-- from a bin and the bin above, not the bin below. `flat` has zeta 1.

-- `forward` is appendix D.1 of the paper. The learned weights of `contour` differ
-- slightly but systematically from the masses, because the chain does not follow p
-- within a bin.

local cs = require "chainscope"
local wells = require "by_hand.wells"
local settings = require "paper.settings"

-- `contour` learns the weights 0.71, 0.23, 0.039 for the first three bins, whose masses
-- are 0.60, 0.30 and 0.068. On the paper's axis, which is eight decades high, the
-- weights look equal to the masses. For small steps the weights of `contour` converge
-- to 0.729, 0.206, 0.042 (by quadrature); those of `forward` converge to other values.
-- Where log theta falls by more than 1 / zeta from one bin to the next, the multiplier
-- of the gradient is negative and drives the chain uphill. `contour` has a multiplier
-- of -0.3 in its third bin.
--
-- `flat`: after 10 million steps the least visited of the first ten bins has 0.71 of the
-- visits of the most visited one. 0.65 of the draws are in the forty upper bins, which
-- hold 1.5e-5 of the mass. (After 500,000 steps this share is 0.42; if the histogram
-- were flat, it would be 0.80.) The weights of `flat` are the worst: its multipliers
-- would reach -10, and with the limit of -5 the chain does not follow Psi.
local u, bins = wells.energy { 0.4, 0.6 }, { first = 2, width = 1, n = 50 }
local forward = { first = 2, width = 1, n = 50, forward = true }
local exact -- masses, by quadrature, computed at first use

local function contour(more)
  local with = { rate = 0.1, gradient_noise = 0.1, first = bins.first, width = bins.width,
                 bins = bins.n, gain = cs.schedule.gain { scale = 1, power = 0.6, offset = 100 } }
  for name, value in next, more do with[name] = value end
  return cs.kernel.csgld(with)
end

-- Returns the weights that a chain has learned so far.
local function theta(chain) return chain:info().own.theta end

local function barrier(side, of)
  return wells.each(function(chain)
    return (select(side, wells.barriers(wells.flattened(u, theta(chain), of or bins, 0.75))))
  end)
end
local distance = wells.each(function(chain)
  local sum = 0
  exact = exact or wells.masses(u, bins)
  for i, x in ipairs(theta(chain)) do sum = sum + math.abs(x - exact[i]) end
  return sum
end)
local function weight(i) return wells.each(function(chain) return theta(chain)[i] end) end
local decay = wells.each(function(chain)
  local all = theta(chain)
  return math.log(all[4] / all[10]) / 6
end)
local third = wells.each(function(chain) return wells.multiplier(theta(chain), bins, 0.75, 3) end)

-- Returns the visits to each of the first ten bins, and the share of draws above them.
local function visits(chain)
  local n, above, rows = {}, 0, chain:draws()
  for i = 1, 10 do n[i] = 0 end
  for _, row in ipairs(rows) do
    local i = wells.bin(bins, u(row[1]))
    if n[i] then n[i] = n[i] + 1 else above = above + 1 end
  end
  return n, above / #rows
end
local least = wells.each(function(chain)
  local n = visits(chain)
  return math.min(table.unpack(n)) / math.max(table.unpack(n))
end)
local above = wells.each(function(chain) return (select(2, visits(chain))) end)

local setting = "our own first border, since the paper states none; multiplier at most 5, and 1 in the last bin"

return cs.scenario {
  title  = "Flattened energies",
  shows  = "The distribution that contour SGLD samples: a barrier of 12 becomes one of 2",
  source = "csgld, section 4.1, figures 1a, 1b and 2c",

  target = cs.target.mixture {},
  chains = 8, seed = 3, start = { -6 },
  arms   = {
    { name = "contour", kernel = contour {} },
    { name = "forward", kernel = contour { multiplier = "forward" } },
    { name = "flat", kernel = contour { zeta = 1 } },
  },
  budget = { steps = 500000 },
  warmup = 50000,
  printed = settings.figure_1,
  setting = setting,
  full   = { budget = { steps = 10000000 }, chains = 10,
             setting = setting },
  screen = { "lesson", { "line", arm = "contour" }, "bins", { "trace", quantity = "x.1" }, "summary" },

  claims = {
    { arm = "contour", stat = "barrier from the left", measure = barrier(1), near = 2, within = 0.3,
      quote = "greatly reduced from 12 to as small as 2", where = "section 4.1",
      note = "U: 11.6; with exact weights: 2.23" },
    { arm = "contour", stat = "barrier from the right", measure = barrier(2), near = 2.4, within = 0.4,
      note = "U: 12.0; with exact weights: 2.64" },
    { arm = "forward", stat = "barrier from the right", measure = barrier(2, forward), near = 2.1, within = 0.3 },
    { arm = "contour", stat = "sum |theta - theta*|", measure = distance, at_most = 0.1, holds = false,
      quote = "which matches the ground truth value of ... very well", where = "section 4.1",
      note = "0.254 at the stationary point of the weights, by quadrature; a log scale hides the difference" },
    { arm = "contour", stat = "theta(1)", measure = weight(1), near = 0.729, within = 0.06, only = "full",
      note = "the mass is 0.602" },
    { arm = "contour", stat = "theta(3)", measure = weight(3), near = 0.042, within = 0.01,
      note = "the mass is 0.0674" },
    { arm = "contour", stat = "theta(1) at rest, small steps", near = 0.729, within = 0.001,
      measure = wells.quadrature(function() return wells.rest(u, bins, 0.75)[1] end) },
    { arm = "contour", stat = "theta(3) at rest, small steps", near = 0.042, within = 0.001,
      measure = wells.quadrature(function() return wells.rest(u, bins, 0.75)[3] end) },
    { arm = "contour", stat = "decay of theta", measure = decay, near = 1.08, within = 0.1,
      quote = "decays exponentially fast as the partition index i increases", where = "section 4.1", note = "nats per bin, from the fourth to the tenth" },
    { arm = "contour", stat = "multiplier in bin 3", measure = third, at_most = 0,
      quote = "eventually rendering a smaller or even negative gradient multiplier which bounces the sampler back to high energy regions", where = "section 4.1" },
    -- If the histogram over fifty bins is flat, the upper forty bins have 0.8
    -- of the draws.
    { arm = "flat", stat = "share above bin 10", measure = above, near = 0.8, within = 0.1, holds = false,
      quote = "leads to a flat histogram of energy (for the samples produced by CSGLD)", where = "section 4.1" },
    { arm = "flat", stat = "visits, least over most", measure = least, at_least = 0.5, note = "the first ten bins only" },
    { arm = "contour", stat = "visits, least over most", measure = least, at_most = 0.2,
      note = "in proportion to theta^(1 - zeta)" },
    { arm = "flat", stat = "share above bin 10", measure = above, at_least = 0.4 },
    { arm = "flat", stat = "sum |theta - theta*|", measure = distance, at_least = 0.35 },
  },
}
