-- How fast does contour SGLD reduce the error of the mean?
--
-- The target of contour.lua has wells at -6 and 4 and mean 0; all chains start at -6.
-- `sgld` stays in its well, with an error of 6. `contour` learns a weight for each energy
-- bin. `known` (KSGLD in the csgld paper) is given the masses of the bins, so its lead
-- shows the cost of learning. After 10,000 steps the error of `known` is 1.2 +- 0.2 and
-- that of `contour` is 2.6 +- 0.4. After 300,000 steps the two errors are equal. But
-- neither error falls below the bias of the bins (bins.lua). `by_energy` weights draws by
-- energy, not by bin. It has no such bias; its error keeps falling.
--
-- Watch `summary` and `distance`, which show all chains together. The claims are about a
-- chain's absolute error after 10,000, 100,000 and 300,000 steps.

-- `chainscope run` reports the claims, in the full setting up to the paper's 10 million
-- steps. `by_energy` weights a draw by Psi(U)^zeta, where Psi interpolates the learned
-- weights at the energy U.

local cs = require "chainscope"
local wells = require "by_hand.wells"
local settings = require "paper.settings"

-- After 300,000 steps the error of `known` is 0.33 +- 0.08 and that of `contour` is 0.30
-- +- 0.06. After 10 million steps the error of `known` is 0.23, that of `contour` is
-- 0.32, and that of `by_energy` is 0.06. `sgld` crosses the barrier six times in 10
-- million steps, and has an error of 2. For a while other errors hide the bias: the
-- error of `contour` is 0.21 after one million steps.
local function contour(more)
  local with = { rate = 0.1, gradient_noise = 0.1, first = 2,
                 gain = cs.schedule.gain { scale = 1, power = 0.6, offset = 100 } }
  for name, value in next, more do with[name] = value end
  return cs.kernel.csgld(with)
end

-- Returns the log masses of the bins; none of the masses is 0.
local function known()
  local list = wells.masses(wells.energy { 0.4, 0.6 }, { first = 2, width = 1, n = 50 })
  for i, mass in ipairs(list) do list[i] = math.log(mass) end
  return list
end

local function after(steps)
  return wells.each(function(chain, arm)
    return math.abs(wells.weighted(chain, math.min(steps / arm.steps, 1)))
  end)
end
local claims = {}
local function of(arm, steps, row)
  row.arm, row.stat, row.measure = arm, ("error after %d thousand"):format(steps // 1000), after(steps)
  claims[#claims + 1] = row
end

of("sgld", 300000, { at_least = 5, quote = "the estimation error of SGLD decays quite slow and rarely converges", where = "section 4.1" })
of("sgld", 10000000, { at_least = 0.8, only = "full" })
of("known", 10000, { than = "sgld", relation = "faster", better = "less", quote = "KSGLD converges much faster", where = "section 4.1" })
of("known", 300000, { at_most = 0.6 })
of("known", 10000000, { near = 0.2, within = 0.1, only = "full", note = "the bias of the bins, with known weights" })
-- "Slightly" slower is interpreted as twice the error, within a factor of 1.5.
of("contour", 10000, { than = "known", relation = "slower", better = "less", times = 2, factor = 1.5, holds = "cannot tell",
                       quote = "In the early period of the run, CSGLD converges slightly slower than KSGLD", where = "section 4.1",
                       note = "2.6 +- 0.4 and 1.2 +- 0.2" })
of("contour", 300000, { than = "known", relation = "alike", within = 0.3,
                        quote = "but soon it becomes as efficient as KSGLD", where = "section 4.1" })
of("contour", 1000000, { at_most = 0.3, only = "full" })
of("contour", 10000000, { at_most = 0.2, only = "full", holds = false,
                          quote = "can be proved by repeated applying Theorem 1 and Lemma 2", where = "section 3.2",
                          paper = "that the error goes to 0 (theorem 2)", note = "it goes to the bias of the bins: 0.3 at this rate" })
of("by_energy", 10000000, { at_most = 0.12, only = "full", note = "these weights have no such bias" })
local setting = "our own first border; multiplier at most 5, and 1 in the last bin"

return cs.scenario {
  title  = "The error of the mean",
  shows  = "Learning the weights costs little; the bias of the bins remains",
  source = "csgld, section 4.1, figure 1c",

  target = cs.target.mixture {},
  chains = 8, seed = 9, start = { -6 }, keep = 65536,
  arms   = {
    { name = "sgld", kernel = cs.kernel.sgld { rate = 0.1, gradient_noise = 0.1 } },
    { name = "known", kernel = contour { gain = 0, log_weights = known() } },
    { name = "contour", kernel = contour {} },
    { name = "by_energy", kernel = contour { weighing = "energy" } },
  },
  budget = { steps = 300000 },
  warmup = 0,
  printed = settings.figure_1c,
  setting = setting,
  full   = { budget = { steps = 10000000 }, chains = 10, setting = setting },
  screen = { "lesson", { "line", arm = "known" }, { "trace", quantity = "x.1" }, "distance", "summary" },

  claims = claims,
}
