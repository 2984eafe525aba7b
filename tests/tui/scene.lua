-- The scenario of most terminal tests: two unlike arms, three chains, a fixed
-- seed.
local cs = require "chainscope"

return cs.scenario {
  title  = "Scene",
  shows  = "a scene for tests",
  target = cs.target.gaussian { dim = 2 },
  chains = 3, seed = 5,
  arms   = {
    mala = cs.kernel.mala { step = 0.8 },
    walk = cs.kernel.random_walk { step = 1.5 },
  },
  screen = { "trace", "map", "acceptance", "state", "summary" },
}
