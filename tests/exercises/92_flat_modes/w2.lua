-- slip: accepts
-- say: edmala has an accept step, so it is right for every eta: it has no preference either
-- An entropic sampler without an accept step: change step, step_a or eta.
-- Try it: chainscope mine.lua; mark it: chainscope exercise 92 --mark mine.lua
local cs = require "chainscope"

return cs.scenario {
  title = "Exercise 92", target = cs.target.bernoulli4 {}, chains = 16, budget = { steps = 20000 },
  arms = { mine = cs.kernel.edmala { step = 0.2, step_a = 0.1, eta = 0.1 } },
}
