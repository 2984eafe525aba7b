local cs = require "chainscope"
return cs.scenario {
  title = "Two hills", target = cs.target.mixture { means = { { -2 }, { 2 } } },
  chains = 4, seed = 5, arms = { walk = cs.kernel.random_walk { step = 3 } },
}
