-- Contour SGLD exactly as the csgld paper states it: the chains diverge.
--
-- Contour SGLD learns a weight for each energy bin, and multiplies each gradient by a
-- factor that follows from the weights (the multiplier). `printed` is algorithm 1 with
-- the settings of the paper's first example, and no limit on the multiplier. After
-- 170,000 to 430,000 steps every chain of `printed` diverges and stops. `slow`, at a
-- fifth of the rate, diverges after 3.4 to 5.3 million steps. The paper's chains make 10
-- million steps; the paper does not say how they avoid divergence.
--
-- Watch the log, which names the multiplier and the remedy. Three arms have remedies:
-- `forward` computes the multiplier from the bin above (section D.1 of the paper), `last`
-- sets the multiplier to 1 in the last bin, and `clamp` also limits all multipliers to 5.

-- `forward` is a remedy because the last bin has no bin above. Our other scenarios use
-- the limits of `clamp`, as do later programs by the same author.

local cs = require "chainscope"
local settings = require "paper.settings"

-- The weights of unvisited bins shrink towards 0, all at the same rate. Eventually a
-- chain climbs into one of these bins from below. In that one step the bin's weight
-- becomes 10^3 to 10^6 times that of its neighbours, and the multiplier, 1 + zeta times
-- the log of the ratio, becomes 30 or 40. Then rate times multiplier exceeds 2, and each
-- step moves the chain further out than the last. In the last bin, which has no upper
-- border, nothing brings the chain back. In `slow` the multiplier must reach 150, so the
-- divergence only takes longer.
local function contour(more)
  local with = { rate = 0.1, gradient_noise = 0.1, first = 2,
                 gain = cs.schedule.gain { scale = 1, power = 0.6, offset = 100 } }
  for name, value in next, more do with[name] = value end
  return cs.kernel.csgld(with)
end

-- Returns the number of steps made by each chain, in thousands.
local function lasted(arm)
  local out = {}
  for c = 1, #arm.chains do out[c] = arm:chain(c):tally().steps / 1000 end
  return out
end

local setting = "our own first border, since the paper states none"

return cs.scenario {
  title  = "Contour SGLD as in the paper",
  shows  = "Without a limit on its multiplier contour SGLD diverges at the paper's settings",
  source = "csgld, algorithm 1 and section 4.1",

  target = cs.target.mixture {},
  chains = 8, seed = 6, start = { { -6 }, { 4 } },
  arms   = {
    { name = "printed", kernel = contour { clamp = 0 } },
    { name = "slow", kernel = contour { clamp = 0, rate = 0.02 } },
    { name = "forward", kernel = contour { clamp = 0, multiplier = "forward" } },
    { name = "last", kernel = contour { clamp = 1e9 } },
    { name = "clamp", kernel = contour { clamp = 5 } },
  },
  budget = { steps = 500000 },
  warmup = 0,
  printed = settings.algorithm_1,
  setting = setting,
  full   = { budget = { steps = 6000000 }, setting = setting },
  screen = { "lesson", { "trace", quantity = "x.1" }, { "bins", arm = "printed" }, "state", "summary" },

  claims = {
    { arm = "printed", stat = "failed", at_most = 0, holds = false,
      quote = "the algorithm was run for 10^7 iterations", where = "section 4.1", note = "of 8 chains" },
    { arm = "printed", stat = "thousand steps", measure = lasted, near = 270, within = 130 },
    { arm = "slow", stat = "failed", at_most = 0, only = "quick" },
    { arm = "slow", stat = "failed", at_least = 8, only = "full" },
    { arm = "forward", stat = "failed", at_most = 0 },
    { arm = "last", stat = "failed", at_most = 0 },
    { arm = "clamp", stat = "failed", at_most = 0 },
  },
}
