-- Random walk, MALA and HMC on a correlated normal law.
--
-- The target is a long thin ridge. A random walk must take steps as short as
-- the ridge is thin, so it needs many of them to walk along it. MALA leans
-- each proposal towards higher density. HMC gives the chain a momentum and
-- follows it for several steps before it asks whether to accept. A gradient
-- costs more than a density: the budget counts gradients, so that the
-- comparison is at equal work.
local cs = require "chainscope"

return cs.scenario {
  title  = "Random walk, MALA, HMC",
  shows  = "what a gradient buys on a narrow ridge",
  target = cs.target.gaussian { dim = 2, rho = 0.95 },
  chains = 4, seed = 3,
  arms   = {
    walk = cs.kernel.random_walk { step = 0.5 },
    mala = cs.kernel.mala { step = 0.3 },
    hmc  = cs.kernel.hmc { step = 0.25, leapfrogs = 8 },
  },
  budget = { steps = 20000 },
  screen = { "trace", "map", "energy", "acceptance", "summary" },
  claims = {
    { arm = "hmc", stat = "acceptance", at_least = 0.8 },
  },
}
