-- Step size: too small, about right, too large.
--
-- A tiny step is nearly always accepted, and goes nowhere. A huge one would go far,
-- and is nearly always rejected. Both chains are slow, for opposite reasons; the
-- acceptance rate tells which. In many dimensions a random walk does best at an
-- acceptance rate near 0.234, in one dimension near 0.44.
--
-- `tuned` begins with the huge step and finds a good one by itself: during a
-- warm-up of 500 steps, which are not recorded, it adjusts the step to the
-- acceptance rate.
--
-- Try: raise the step of `small` while it runs, and watch its trace wake up.
--
--     :set small.step 1
local cs = require "chainscope"

return cs.scenario {
  title  = "Too small, right, too large",
  shows  = "A high acceptance rate alone proves nothing",
  source = "Roberts, Gelman and Gilks 1997",
  tags   = "lesson step-size warm-up",

  target = cs.target.gaussian { dim = 5 },
  chains = 4, seed = 2,
  arms   = {
    small = cs.kernel.random_walk { step = 0.05 },
    right = cs.kernel.random_walk { step = 1.06 }, -- 2.38 / sqrt(5)
    large = cs.kernel.random_walk { step = 10 },
    tuned = { kernel = cs.kernel.random_walk { step = 10 },
              tuner = cs.tuner.acceptance { acceptance = 0.234 } },
  },
  budget = { steps = 20000 },
  warmup = 0, -- what a bad step costs is seen from the start on
  speed  = 500, -- steps a second on the screen: + faster, = as fast as it goes
  screen = { "lesson", { "trace", of = "x.1", arm = "small" }, "acceptance", "energy", "tuner", "summary" },

  -- The same 20000 steps are worth thousands of independent draws, or five.
  claims = {
    { arm = "small", stat = "acceptance", near = 0.957, within = 0.01 },
    { arm = "right", stat = "acceptance", near = 0.288, within = 0.01,
      note = "0.234 is best as the dimension grows" },
    { arm = "large", stat = "acceptance", at_most = 0.001 },
    { arm = "small", stat = "ess", at_most = 100 },
    { arm = "right", stat = "ess", at_least = 1500 },
    { arm = "large", stat = "ess", at_most = 20 },
    { arm = "tuned", stat = "acceptance", near = 0.234, within = 0.04 },
    { arm = "tuned", stat = "ess", at_least = 1500 },
  },
}
