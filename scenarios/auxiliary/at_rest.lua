-- SGLD comes to rest beside the answer; Tuna-SGLD does not.
--
-- Both follow the gradient of twenty rows, scaled up to all. SGLD has no accept step:
-- what the batch says wrongly is added to the noise, and the chain's spread is that
-- of its rate, not of the posterior. However long it runs, it comes to rest there.
-- Tuna-SGLD (the paper's algorithm 3) accepts or refuses the same move by a second
-- minibatch, a Poisson number of rows, and leaves the posterior invariant.
--
-- The step is the same, 0.2 (a rate of 0.02). The exact standard deviation of x.1 is
-- 0.316. SGLD says 0.346, however many rows it has seen: 160,000 a chain here.
-- Tuna-SGLD says 0.310 to 0.320 at three seeds; a step of it costs 143 data
-- terms for 20. Try: `rate` smaller, with which SGLD is less far off and slower.
local cs = require "chainscope"

return cs.scenario {
  title  = "At rest beside the answer",
  shows  = "SGLD's spread is off for good; an accept step by a minibatch mends it",
  source = "auxiliary, sections 3.2 and 5.3, algorithm 3",

  target = cs.target.truncated_gaussian { rows = 10000, dim = 2, beta = 0.001, box = 3 },
  chains = 8, seed = 17, start = { 0, 0 },
  arms   = {
    { name = "sgld", kernel = cs.kernel.sgld { rate = 0.02, batch = 20, order = "without_replacement" } },
    { name = "tuna_sgld", kernel = cs.kernel.tuna_sgld { step = 0.2, chi = 0.05, batch = 20 } },
  },
  budget = { steps = 8000 },
  warmup = 200,
  screen = { "lesson", { "rows", arm = "tuna_sgld" }, { "trace", of = "x.1" }, "distance", "summary" },

  claims = {
    { arm = "sgld", stat = "sd", of = "x.1", at_least = 0.33, note = "0.316 is exact" },
    { arm = "tuna_sgld", stat = "sd", of = "x.1", near = 0.3162, within = 0.015 },
    { arm = "sgld", stat = "ks", at_least = 0.03 },
    { arm = "tuna_sgld", stat = "ks", less = "sgld", at_most = 0 },
  },
}
