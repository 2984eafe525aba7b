-- SGLD converges to a wrong answer, and Tuna-SGLD to the right one.
--
-- Both kernels follow the gradient of twenty rows, scaled up to all rows. SGLD
-- (stochastic gradient Langevin dynamics) has no accept step. The error of the gradient
-- adds to the noise, so the spread of the chain depends on `rate`, however long the chain
-- runs. Tuna-SGLD (algorithm 3 of the auxiliary paper) accepts or rejects the same move
-- by a second minibatch with a Poisson number of rows, and leaves the posterior
-- invariant.
--
-- Watch the standard deviation of x.1 in `summary`; the exact value is 0.316. SGLD has
-- 0.346 after 160,000 rows per chain. Tuna-SGLD has 0.310 to 0.320 over three seeds, and
-- evaluates 143 data terms per step instead of 20. Both have a step of 0.2 (rate 0.02).

-- A smaller `rate` gives SGLD less bias and makes it slower.

local cs = require "chainscope"

return cs.scenario {
  title  = "Converged to the wrong answer",
  shows  = "The spread of SGLD stays wrong; an accept step by a minibatch corrects it",
  source = "auxiliary, sections 3.2 and 5.3, algorithm 3",

  target = cs.target.truncated_gaussian { rows = 10000, dim = 2, beta = 0.001, box = 3 },
  chains = 8, seed = 17, start = { 0, 0 },
  arms   = {
    { name = "sgld", kernel = cs.kernel.sgld { rate = 0.02, batch = 20, order = "without_replacement" } },
    { name = "tuna_sgld", kernel = cs.kernel.tuna_sgld { step = 0.2, chi = 0.05, batch = 20 } },
  },
  budget = { steps = 8000 },
  warmup = 200,
  screen = { "lesson", { "rows", arm = "tuna_sgld" }, { "trace", quantity = "x.1" }, "distance", "summary" },

  claims = {
    { arm = "sgld", stat = "sd", of = "x.1", at_least = 0.33, note = "exact: 0.316" },
    { arm = "tuna_sgld", stat = "sd", of = "x.1", near = 0.3162, within = 0.015 },
    { arm = "sgld", stat = "ks", at_least = 0.03 },
    { arm = "tuna_sgld", stat = "ks", less_than = "sgld", at_most = 0 },
  },
}
