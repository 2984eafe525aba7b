-- As it is printed: the chain is thrown out.
--
-- Algorithm 1 with the settings of the paper's first example, and no clamp. Between
-- 170,000 and 430,000 steps are well. Then every chain of `printed` runs away, and
-- stops: the log names the multiplier and the remedy.
--
-- Weights of bins that nobody visits shrink towards 0, all at one rate. Sooner or
-- later a chain climbs into one of them from below. In that one step its weight
-- becomes a thousand or a million times that of its neighbours, and the
-- multiplier, 1 and zeta times the log of the ratio, 30 or 40. Rate times
-- multiplier is then above 2, and each step throws the chain further out than the
-- last; in the last bin, which has no upper border, nothing calls it back.
--
-- `slow` has a fifth of the rate, and the multiplier must go that much higher: it is
-- 150 when it does, after 3.4 to 5.3 million steps. That is put off, not mended.
-- The paper has 10 million steps and does not say how its chains survived.
--
-- Each of three things mends it. `forward` takes the difference to the bin above
-- (the paper's D.1), which has no bin above the last one. `last` has the printed
-- multiplier but for the last bin, where it is 1. `clamp`, as our scenarios have
-- it, does that and keeps all multipliers within 5, as later programs by the same
-- author do.
local cs = require "chainscope"
local settings = require "paper.settings"

local function contour(more)
  local with = { rate = 0.1, gradient_noise = 0.1, first = 2,
                 gain = cs.schedule.gain { scale = 1, power = 0.6, offset = 100 } }
  for name, value in next, more do with[name] = value end
  return cs.kernel.csgld(with)
end

-- The steps that a chain has made, in thousands.
local function lasted(arm)
  local out = {}
  for c = 1, #arm.chains do out[c] = arm:chain(c):tally().steps / 1000 end
  return out
end

local setting = "the first border is ours, for the paper prints none"

return cs.scenario {
  title  = "As printed",
  shows  = "Contour SGLD without a clamp is thrown out at the paper's own settings",
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
  screen = { "lesson", { "trace", of = "x.1" }, { "bins", arm = "printed" }, "state", "summary" },

  claims = {
    { arm = "printed", stat = "failed", at_most = 0, holds = false,
      quote = "the algorithm was run for 10^7 iterations", where = "section 4.1", note = "of 8" },
    { arm = "printed", stat = "thousand steps", measure = lasted, near = 270, within = 130 },
    { arm = "slow", stat = "failed", at_most = 0, only = "quick" },
    { arm = "slow", stat = "failed", at_least = 8, only = "full" },
    { arm = "forward", stat = "failed", at_most = 0 },
    { arm = "last", stat = "failed", at_most = 0 },
    { arm = "clamp", stat = "failed", at_most = 0 },
  },
}
