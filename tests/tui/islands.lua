-- A scenario in which all chains start at one of two modes and stay there.
local cs = require "chainscope"

return cs.scenario {
  title  = "Islands",
  shows  = "a mode that nobody sees",
  target = cs.target.mixture { means = { { -5 }, { 5 } } },
  start  = { -5 },
  chains = 3, seed = 5,
  arms   = { walk = cs.kernel.random_walk { step = 1 } },
  budget = { steps = 300 },
  screen = { "trace", "summary" },
}
