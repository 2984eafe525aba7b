-- A first random walk.
--
-- A chain stands at x. It draws a proposal y = x + step * noise and asks the
-- target for one number, U(y) - U(x): how much more likely y is than x, on a
-- log scale. A better place is always taken; a worse one with probability
-- exp(U(y) - U(x)). Nothing else happens, and yet the places that the chain
-- visits are draws from the target.
--
-- Watch the trace: it should look like grass, not like hills.
local cs = require "chainscope"

return cs.scenario {
  title  = "A first random walk",
  shows  = "accept and reject are enough to draw from a distribution",
  target = cs.target.gaussian { dim = 2 },
  chains = 4, seed = 1,
  arms   = { walk = cs.kernel.random_walk { step = 1.5 } },
  budget = { steps = 20000 },
  screen = { "trace", "map", "acceptance", "state", "summary" },
  claims = {
    -- exactly 1 - (step / 2) / sqrt(1 + step^2 / 4) in two dimensions
    { arm = "walk", stat = "acceptance", near = 0.4, within = 0.01 },
  },
}
