-- A first random walk (the Metropolis algorithm).
--
-- A chain at a point x proposes y = x + step * noise and computes log p(y) - log p(x),
-- the log of how much more likely y is than x. It always accepts a more likely point, and
-- it accepts a less likely point with probability p(y) / p(x). The points that the chain
-- visits are then draws from the target distribution p.
--
-- Watch: the trace of a chain that mixes well looks like grass, not like hills. Press
-- space to pause and . to make one step at a time; the panel `state` shows the parts of
-- each decision. Press , to take a step back.
local cs = require "chainscope"

return cs.scenario {
  title  = "A first random walk",
  shows  = "Accepting or rejecting random moves is all it takes to sample",
  source = "Metropolis et al. 1953",
  tags   = "lesson metropolis",

  target = cs.target.gaussian { dim = 2 },
  chains = 4, seed = 1,
  arms   = { walk = cs.kernel.random_walk { step = 1.5 } },
  budget = { steps = 20000 },
  speed  = 500, -- steps per second; the key + raises the speed, = selects full speed
  screen = { "lesson", "map", { "trace", quantity = "x.1" }, "acceptance", "state", "summary" },

  -- A statistical test checks each claim. Here the exact answer is known: in two
  -- dimensions the acceptance rate of a walk with step size s is 1 - (s/2) / sqrt(1 +
  -- s^2/4).
  claims = {
    { arm = "walk", stat = "acceptance", near = 0.4, within = 0.01 },
    { arm = "walk", stat = "mean", of = 1, near = 0, within = 0.05 },
    { arm = "walk", stat = "sd", of = 1, near = 1, within = 0.05 },
    { arm = "walk", stat = "rhat", at_most = 1.02,
      note = "four chains from four random starts now agree" },
  },
}
