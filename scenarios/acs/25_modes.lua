-- Twenty-five modes on a lattice: fixed and cyclical steps.
--
-- The states are {0..449}^2 with 25 narrow modes. A small fixed step stays
-- near the mode where it began. The cyclical sampler takes large steps at
-- the start of each cycle of 20 and small ones at its end: it leaps, then
-- settles. Its balance stays at 0.5, as in the released program.
local cs = require "chainscope"

return cs.scenario {
  title  = "25 modes",
  shows  = "a fixed step stays on one island, a cyclical one crosses",
  source = "acs, section 4.1",
  target = cs.target.lattice_modes { modes = 25, gap = 75, variance = 0.15 },
  chains = 4, seed = 7,
  arms   = {
    walk  = cs.kernel.random_walk {},
    dmala = cs.kernel.dmala { step = 53 },
    acs   = cs.kernel.dmala {
      step = cs.schedule.cosine { max = 1575, min = 3.32, period = 20 },
    },
  },
  budget = { steps = 10000 },
  screen = { "map", "trace", "energy", "acceptance", "visits" },
}
