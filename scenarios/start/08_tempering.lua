-- Hot chains carry the cold one.
--
-- Twenty-five narrow modes on a lattice, 75 apart, with almost nothing between
-- them. `dmala` follows the gradient: it explores its mode well and hardly ever
-- leaves it. At a higher temperature T the same kernel samples p^(1/T): the gaps
-- fill up, and the chain crosses them; but its draws are then not those of the
-- target. Tempering has both.
--
-- `parallel` is a ladder of four chains at temperatures from 1 to 15 that swap
-- states now and then, with a probability that leaves the distribution of each
-- unchanged: states found at high temperatures come down to the cold chain.
-- `simulated` is one chain whose temperature goes up and down the same ladder,
-- with weights that it learns in the first 6000 steps and then keeps. Both wrap
-- any kernel. Only a state at temperature 1 is a draw; the others are not
-- recorded and count in no estimate, but their work does.
--
-- Every arm has the same number of gradients, so that the ladder makes a quarter
-- of the steps, and the chain that changes its temperature is cold for a quarter
-- of its time. It pays: alone the chains find five modes each, and R-hat is
-- about 2. The panel `found` is this scenario's own: a figure of every arm against
-- work; u changes what work is.
local cs = require "chainscope"

local function dmala() return cs.kernel.dmala { step = 25 } end

return cs.scenario {
  title  = "Hot chains",
  shows  = "A kernel that stays in its mode crosses over when it is tempered",
  source = "Hukushima and Nemoto 1996; Marinari and Parisi 1992",
  tags   = "lesson multimodal tempering",

  target = function() return cs.target.lattice_modes { modes = 25, gap = 75, variance = 0.15 } end,
  chains = 4, seed = 11,
  arms   = {
    { name = "alone", kernel = dmala() },
    { name = "parallel", kernel = cs.kernel.parallel_tempering {
        kernel = dmala(), rungs = 4, hottest = 15, swap_interval = 5 } },
    { name = "simulated", kernel = cs.kernel.simulated_tempering {
        kernel = dmala(), rungs = 4, hottest = 15, swap_interval = 5, learn = 6000 } },
  },
  budget = { gradients = 240000 },
  screen = { "lesson", "map", "trace",
    cs.panel { name = "found", title = "modes a chain has found, of 25", curves = "modes_mean" },
    "visits", "summary" },

  claims = {
    { arm = "alone", stat = "modes_mean", at_most = 12, note = "of 25" },
    { arm = "parallel", stat = "modes_mean", at_least = 22 },
    { arm = "parallel", stat = "mode_tv", at_most = 0.3,
      note = "from the exact shares" },
    { arm = "parallel", stat = "trips", at_least = 500,
      note = "to the hot end and back, of 16 chains" },
    { arm = "simulated", stat = "modes_mean", at_least = 22 },
    { arm = "simulated", stat = "mode_tv", at_most = 0.35 },
    { arm = "simulated", stat = "trips", at_least = 500 },
  },
}
