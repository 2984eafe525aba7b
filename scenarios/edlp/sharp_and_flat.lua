-- Sharp and flat modes: sixteen states, two samplers.
--
-- Four coins, so every probability is known exactly. DULA takes each
-- proposal; the state it settles in is therefore not quite the target: at
-- step 0.2 its stationary law is 0.038 away in total variation, at step 1
-- 0.161. DMALA adds an accept step and is exact at any step; at step 1 it
-- accepts 0.767 of its proposals. At step 0.1, as released with the paper,
-- it moves in 2.3 % of its steps only: a fair comparison gives it more.
local cs = require "chainscope"

return cs.scenario {
  title  = "Sharp and flat modes",
  shows  = "without an accept step the bias grows with the step",
  source = "edlp, section 5.1",
  target = cs.target.bernoulli4 {},
  chains = 4, seed = 8,
  arms   = {
    dula      = cs.kernel.dula { step = 0.2 },
    dmala     = cs.kernel.dmala { step = 1 },
    dmala_low = cs.kernel.dmala { step = 0.1 },
  },
  budget = { steps = 20000 },
  screen = { "visits", "trace", "energy", "acceptance", "summary" },
  claims = {
    { arm = "dmala", stat = "acceptance", near = 0.767284, within = 0.01 },
    { arm = "dmala", stat = "moved", near = 0.55824, within = 0.01 },
    { arm = "dmala_low", stat = "moved", near = 0.02349, within = 0.005 },
    { arm = "dula", stat = "moved", at_least = 0.2 },
  },
}
