-- A target whose states are shown as pictures: the spins of a lattice. The
-- kernel has an auxiliary variable.
local cs = require "chainscope"

return cs.scenario {
  title  = "Spins",
  target = cs.target.ising { rows = 9, cols = 12 },
  chains = 3, seed = 5,
  arms   = {
    dmala  = cs.kernel.dmala { step = 0.3 },
    edmala = cs.kernel.edmala { step = 0.3 },
  },
  probes = { "trace", moments = { coordinates = 108 }, only = true },
  screen = { "picture", "trace" },
}
