-- A target whose states are tours, which are shown as pictures. The kernel
-- changes several bits at once, so only a few proposals are tours.
local cs = require "chainscope"

return cs.scenario {
  title  = "Tours",
  target = cs.target.tsp { cities = 10 },
  chains = 3, seed = 5,
  arms   = { walk = cs.kernel.random_walk { flips = 2 } },
  probes = { "trace", "energy", only = true },
  screen = { "picture" },
}
