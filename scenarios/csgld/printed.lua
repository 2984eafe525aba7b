-- Contour SGLD exactly as printed: the chains diverge.
--
-- Algorithm 1 with the settings of the paper's first example, and no limit on the
-- multiplier. All goes well for 170,000 to 430,000 steps; then every chain of `printed`
-- diverges and stops. Watch the log, which names the multiplier and the remedy. `slow`,
-- at a fifth of the rate, diverges after 3.4 to 5.3 million steps. The paper has 10
-- million steps and does not say how its chains survived.
--
-- Three remedies: `forward` takes the difference to the bin above (the paper's D.1),
-- which does not exist for the last bin; `last` sets the multiplier to 1 in the last bin;
-- `clamp`, as in our other scenarios, also limits all multipliers to 5, as later programs
-- by the same author do.
local cs = require "chainscope"
local settings = require "paper.settings"

-- The weights of unvisited bins shrink towards 0, all at the same rate. Eventually a
-- chain climbs into one of them from below. In that one step its weight becomes 10^3 to
-- 10^6 times that of its neighbours, and the multiplier, 1 + zeta times the log of the
-- ratio, becomes 30 or 40. Then rate times multiplier exceeds 2, and each step moves the
-- chain further out than the last; in the last bin, which has no upper border, nothing
-- brings it back. In `slow` the multiplier must reach 150, so it only takes longer.
local function contour(more)
  local with = { rate = 0.1, gradient_noise = 0.1, first = 2,
                 gain = cs.schedule.gain { scale = 1, power = 0.6, offset = 100 } }
  for name, value in next, more do with[name] = value end
  return cs.kernel.csgld(with)
end

-- Steps made by each chain, in thousands.
local function lasted(arm)
  local out = {}
  for c = 1, #arm.chains do out[c] = arm:chain(c):tally().steps / 1000 end
  return out
end

local setting = "our own first border, since the paper prints none"

return cs.scenario {
  title  = "Contour SGLD as printed",
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
