-- A first random walk.
--
-- A chain stands at x. It draws a proposal y = x + step * noise and asks the
-- target for one number, log p(y) - log p(x): how much more likely y is than x, on
-- a log scale. A more likely point is always accepted; a less likely one with
-- probability p(y) / p(x). Nothing else happens, and yet the points that the chain
-- visits are draws from the target.
--
-- Watch the trace: it should look like grass, not like hills. Press space to pause
-- and . to make one step at a time; the panel `state` shows the parts of each
-- decision. Press , to take a step back.
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
  speed  = 500, -- steps a second on the screen: + faster, = as fast as it goes
  screen = { "lesson", { "trace", of = "x.1" }, "map", "acceptance", "state", "summary" },

  -- A claim is a promise that a test keeps. Here the truth is known exactly:
  -- in two dimensions a walk of step s accepts 1 - (s/2) / sqrt(1 + s^2/4).
  claims = {
    { arm = "walk", stat = "acceptance", near = 0.4, within = 0.01 },
    { arm = "walk", stat = "mean", of = 1, near = 0, within = 0.05 },
    { arm = "walk", stat = "sd", of = 1, near = 1, within = 0.05 },
    { arm = "walk", stat = "rhat", at_most = 1.02,
      note = "four chains from four random starts now agree" },
  },
}
