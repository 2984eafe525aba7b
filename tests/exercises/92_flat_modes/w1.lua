-- slip: more_steps
-- say: the bias does not shrink with the number of steps: only its Monte Carlo error does
-- An entropic sampler without an accept step: change step, step_a or eta.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 92 --mark mine.lua
local cs = require "chainscope"

return cs.scenario {
  title = "Exercise 92", target = cs.target.bernoulli4 {}, chains = 16, budget = { steps = 200000 },
  arms = { mine = cs.kernel.edula { step = 0.2, step_a = 0.1, eta = 0.1 } },
}
