-- The work of a random walk in 4 and in 64 dimensions: complete the function step.
-- Mark it: chainscope exercise 32 --mark mine.lua
local cs = require "chainscope"

-- Returns a good step of a random walk on the standard normal distribution.
local function step(dim)
  return 2.38 / math.sqrt(dim)
end

-- Returns the number of evaluations per effective draw of x.1.
local function work(dim)
  local run = cs.open {
    target = cs.target.gaussian { dim = dim }, chains = 16, seed = 1, budget = { steps = 8000 }, warmup = 0,
    arms = { walk = cs.kernel.random_walk { step = step(dim) } },
  }
  run:step(8000)
  return 1000 / run:arm("walk"):figure("ess_per_work", 1)
end

return { exponent = math.log(work(64) / work(4)) / math.log(64 / 4) }
