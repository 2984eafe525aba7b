local cs = require "chainscope"
return cs.scenario {
  title = "Two hills at a speed of its own",
  target = cs.target.mixture { means = { { -2 }, { 2 } } },
  chains = 4, seed = 5, speed = 50, budget = { steps = 20000 },
  arms = { walk = cs.kernel.random_walk { step = 3 } },
}
