-- A map with two equal modes and four chains, for tests of pictures in pixels.
local cs = require "chainscope"

return cs.scenario {
  title  = "Pixels",
  shows  = "a map with two modes",
  target = cs.target.mixture { means = { { -3, 0 }, { 3, 0 } } },
  chains = 4, seed = 5,
  arms   = { walk = cs.kernel.random_walk { step = 3 } },
  screen = { "map", "trace" },
}
