-- Step size: too small, about right, too large.
--
-- A tiny step is nearly always accepted, and goes nowhere. A huge one would
-- go far, and is nearly always refused. Both chains look lazy in the trace,
-- for opposite reasons: read the share of accepted proposals to tell which.
-- In many dimensions a random walk does best near 0.234 accepted (Roberts,
-- Gelman and Gilks, Annals of Applied Probability 1997), in one dimension
-- near 0.44.
--
-- Try: change the step of an arm while it runs.
local cs = require "chainscope"

return cs.scenario {
  title  = "Too small, right, too large",
  shows  = "a high acceptance is no good sign of its own",
  source = "Roberts, Gelman and Gilks 1997",
  target = cs.target.gaussian { dim = 5 },
  chains = 4, seed = 2,
  arms   = {
    small = cs.kernel.random_walk { step = 0.05 },
    right = cs.kernel.random_walk { step = 1.06 },
    large = cs.kernel.random_walk { step = 10 },
  },
  budget = { steps = 20000 },
  screen = { "trace", "acceptance", "energy", "summary" },
  claims = {
    { arm = "small", stat = "acceptance", at_least = 0.9 },
    { arm = "right", stat = "acceptance", near = 0.27, within = 0.08,
      paper = "0.234 is best as the dimension grows" },
    { arm = "large", stat = "acceptance", at_most = 0.02 },
  },
}
