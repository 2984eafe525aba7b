-- slip: one_dimension
-- say: over 0.4 of the proposals are accepted, but they are short: a rate near 0.44 is best in one dimension, not in 20
-- A random walk in 20 dimensions: choose its step.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 31 --mark mine.lua
local cs = require "chainscope"

return cs.scenario {
  title = "Exercise 31", chains = 16, budget = { steps = 20000 }, warmup = 0,
  target = cs.target.gaussian { dim = 20 },
  arms = { mine = cs.kernel.random_walk { step = 0.2 } },
}
