-- Firefly Monte Carlo: an exact sampler that evaluates only "bright" rows.
--
-- Each row has a lower bound B_i on its likelihood L_i. The log of the product of all
-- bounds is one quadratic form. A row is bright with probability 1 - B_i / L_i, and only
-- bright rows are evaluated (Maclaurin and Adams 2014). Here the bounds are tight at the
-- mode, and few rows are bright there. But finding the mode takes all rows.
--
-- Watch `rows` and the trace. A step evaluates 101 rows of 10,000. For equal numbers of
-- rows `firefly` makes 99 times the steps of a random walk and has 40 to 60 times its
-- effective draws. The set of bright rows is kept from step to step, so a chain moves
-- only as fast as this set changes. `firefly` accepts 21 % of its proposals, the random
-- walk 28 %.
local cs = require "chainscope"

local one = {}
for j = 1, 5 do one[j] = 1 end

-- In the kernels of the auxiliary paper the counts of rows are drawn independently at
-- each step. Here a step that would make many rows bright at once is rejected, and only a
-- share `q` of the dark rows is updated per step. With bounds that are tight elsewhere
-- most rows would be bright.
return cs.scenario {
  title  = "Fireflies",
  shows  = "Firefly evaluates only bright rows, and moves only as fast as the set of bright rows changes",
  source = "auxiliary, section 1; Maclaurin and Adams 2014",

  target = cs.target.robust_regression { rows = 10000, dim = 5 },
  chains = 8, seed = 17, start = one,
  arms   = {
    { name = "random_walk", kernel = cs.kernel.random_walk { step = 0.012 } },
    { name = "firefly", kernel = cs.kernel.firefly { step = 0.012, q = 0.01 } },
  },
  budget = { data_terms = 4e6, each = "chain" },
  warmup = 20,
  screen = { "lesson", { "rows", arm = "firefly" }, { "trace", quantity = "b.1" }, "acceptance", "summary" },

  claims = {
    { arm = "firefly", stat = "data_terms", at_most = 150, note = "there are 10,000 rows" },
    { arm = "firefly", stat = "ess", of = "b.1", ratio_to = "random_walk", at_least = 10 },
  },
}
