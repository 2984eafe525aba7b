-- Two arms on a target whose parameters a test changes while the run is open.
local cs = require "chainscope"
return cs.scenario {
  title = "Bits",
  target = cs.target.ising { rows = 3, cols = 3, beta = 0.35 },
  chains = 3,
  seed = 5,
  arms = { one = cs.kernel.gibbs {}, two = cs.kernel.dmala { step = 1 } },
}
