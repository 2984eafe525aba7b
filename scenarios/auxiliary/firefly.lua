-- Fireflies: most rows are dark.
--
-- Firefly Monte Carlo (Maclaurin and Adams 2014) gives each row a light. A row has a
-- lower bound B_i of its likelihood L_i, all of whose product is one quadratic
-- form; it is bright with probability 1 - B_i / L_i, and only bright rows are
-- evaluated. Here B_i is tight at the mode, so that near it few are bright.
--
-- It is exact, like the kernels of the paper, by another auxiliary variable: lights
-- are kept from step to step, where Poisson counts are drawn anew. The price is
-- seen in the trace: a chain goes no faster than its lights turn. A step that would
-- have to light many rows at once is refused, and only a share `q` of the dark ones
-- is asked each step.
--
-- A step here evaluates 101 rows of 10,000, and of equal numbers of rows firefly makes
-- 99 times the steps of a random walk and 40 to 60 times the effective draws: 21 % of its
-- moves are accepted for 28 %. It must know the mode beforehand, found by a climb
-- over all rows before the start; with bounds that are tight elsewhere most rows
-- would be bright.
local cs = require "chainscope"

local one = {}
for j = 1, 5 do one[j] = 1 end

return cs.scenario {
  title  = "Fireflies",
  shows  = "Firefly evaluates the bright rows alone, and moves as fast as their lights turn",
  source = "auxiliary, section 1; Maclaurin and Adams 2014",

  target = cs.target.robust_regression { rows = 10000, dim = 5 },
  chains = 8, seed = 17, start = one,
  arms   = {
    { name = "random_walk", kernel = cs.kernel.random_walk { step = 0.012 } },
    { name = "firefly", kernel = cs.kernel.firefly { step = 0.012, q = 0.01 } },
  },
  budget = { data_terms = 4e6, each = "chain" },
  warmup = 20,
  screen = { "lesson", { "rows", arm = "firefly" }, { "trace", of = "b.1" }, "acceptance", "summary" },

  claims = {
    { arm = "firefly", stat = "data_terms", at_most = 150, note = "of 10,000 rows" },
    { arm = "firefly", stat = "ess", of = "b.1", over = "random_walk", at_least = 10 },
  },
}
