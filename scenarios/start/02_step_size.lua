-- The step size of a random walk: too small, about right, too large.
--
-- A tiny step is nearly always accepted but moves the chain very little. A huge step
-- would move the chain far but is nearly always rejected. Both chains are slow, and their
-- acceptance rates show why. A random walk is most efficient at an acceptance rate near
-- 0.234 in many dimensions and near 0.44 in one dimension. `tuned` starts with the huge
-- step and adapts it to the acceptance rate in a warm-up of 500 steps, which are not
-- recorded.
--
-- Try: raise the step of `small` while the chains run, and watch its trace start to move.
--
--     :set small.step 1
local cs = require "chainscope"

return cs.scenario {
  title  = "Too small, right, too large",
  shows  = "A high acceptance rate does not prove that a chain mixes well",
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
  warmup = 0, -- records from the first step, to show the cost of a bad step size
  speed  = 500, -- steps per second; the key + raises the speed, = selects full speed
  screen = { "lesson", { "trace", quantity = "x.1", arm = "small" }, "acceptance", "energy", "tuner", "summary" },

  -- From the same number of steps, 20000, one arm has thousands of effective draws and
  -- another arm has about five.
  claims = {
    { arm = "small", stat = "acceptance", near = 0.957, within = 0.01 },
    { arm = "right", stat = "acceptance", near = 0.288, within = 0.01,
      note = "0.234 is the optimum in high dimensions" },
    { arm = "large", stat = "acceptance", at_most = 0.001 },
    { arm = "small", stat = "ess", at_most = 100 },
    { arm = "right", stat = "ess", at_least = 1500 },
    { arm = "large", stat = "ess", at_most = 20 },
    { arm = "tuned", stat = "acceptance", near = 0.234, within = 0.04 },
    { arm = "tuned", stat = "ess", at_least = 1500 },
  },
}
