-- Tempering: hot chains help the cold chain to cross between modes.
--
-- The target has twenty-five narrow modes on a lattice, 75 apart, with almost no mass
-- between them. `dmala` (discrete Metropolis-adjusted Langevin) follows the gradient,
-- explores its mode well and hardly ever leaves it. At a higher temperature T the same
-- kernel samples p^(1/T) and crosses the gaps, but such draws are not from the target.
-- Tempering combines both: `parallel` swaps states between four chains at temperatures
-- from 1 to 15; `simulated` moves one chain up and down the same ladder of temperatures.
-- Only states at temperature 1 are recorded as draws.
--
-- Watch the panel `found`: with the same number of gradient evaluations, `alone` finds
-- only five modes per chain (R-hat about 2). Press u to change the measure of work.
local cs = require "chainscope"

local function dmala() return cs.kernel.dmala { step = 25 } end

return cs.scenario {
  title  = "Hot chains",
  shows  = "A kernel that is stuck in its mode crosses to others when it is tempered",
  source = "Hukushima and Nemoto 1996; Marinari and Parisi 1992",
  tags   = "lesson multimodal tempering",

  target = function() return cs.target.lattice_modes { modes = 25, gap = 75, variance = 0.15 } end,
  chains = 4, seed = 11,
  -- A swap is accepted with the probability that keeps the distribution at each
  -- temperature. `simulated` learns the weights of its temperatures in the first 6000
  -- steps and then keeps them. Both kernels wrap any other kernel. States at temperatures
  -- above 1 count in no estimate, but their work is counted: with the same number of
  -- gradients, `parallel` makes a quarter of the steps of an untempered chain, and
  -- `simulated` spends a quarter of its time at temperature 1. The panel `found` is
  -- defined in this file and plots a statistic of every arm against work.
  arms   = {
    { name = "alone", kernel = dmala() },
    { name = "parallel", kernel = cs.kernel.parallel_tempering {
        kernel = dmala(), rungs = 4, hottest = 15, swap_interval = 5 } },
    { name = "simulated", kernel = cs.kernel.simulated_tempering {
        kernel = dmala(), rungs = 4, hottest = 15, swap_interval = 5, learn = 6000 } },
  },
  budget = { gradients = 240000 },
  screen = { "lesson", "map", "trace",
    cs.panel { name = "found", title = "modes found per chain (of 25)", curves = "modes_mean" },
    "visits", "summary" },

  claims = {
    { arm = "alone", stat = "modes_mean", at_most = 12, note = "the target has 25 modes" },
    { arm = "parallel", stat = "modes_mean", at_least = 22 },
    { arm = "parallel", stat = "mode_tv", at_most = 0.3,
      note = "distance from the exact mode probabilities" },
    { arm = "parallel", stat = "trips", at_least = 500,
      note = "round trips to the highest temperature, over 16 chains" },
    { arm = "simulated", stat = "modes_mean", at_least = 22 },
    { arm = "simulated", stat = "mode_tv", at_most = 0.35 },
    { arm = "simulated", stat = "trips", at_least = 500 },
  },
}
