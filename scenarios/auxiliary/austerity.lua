-- Austerity: a decision by as many rows as it takes, and wrong now and then.
--
-- The test of Korattikara, Chen and Welling (2014) looks at a batch of rows and asks by a
-- t test whether the mean log ratio is above the threshold of the accept step. If it
-- cannot tell at the level epsilon it adds rows, in the end all. So easy decisions
-- are cheap, and some are wrong: unlike the kernels with auxiliary variables this
-- one does not leave the posterior invariant, for any epsilon above 0.
--
-- `careful`, epsilon 0.001, looks at 750 of the 2000 rows in the mean, and is right to
-- what a run of this length can tell: a standard deviation of 0.099 for 0.100.
-- `careless`, epsilon 0.4, makes do with 58 rows, and says 0.148: half as wide
-- again, with the mean where it should be and chains that agree with each other. No
-- diagnostic of theirs sees it. The panel `distance` does, which has the exact answer.
local cs = require "chainscope"

local function austerity(epsilon) return cs.kernel.austerity { step = 0.15, batch = 50, epsilon = epsilon } end

return cs.scenario {
  title  = "Austerity",
  shows  = "A test on a few rows decides as all of them would, mostly: its posterior is off",
  source = "auxiliary, section 1; Korattikara, Chen and Welling 2014",

  target = cs.target.truncated_gaussian { rows = 2000, dim = 2, beta = 0.05, box = 3 },
  chains = 8, seed = 17, start = { 0, 0 },
  arms   = {
    { name = "careful", kernel = austerity(0.001) },
    { name = "careless", kernel = austerity(0.4) },
    { name = "exact", kernel = cs.kernel.random_walk { step = 0.15 } },
  },
  budget = { steps = 6000 },
  warmup = 100,
  screen = { "lesson", { "rows", arm = "careless" }, { "trace", of = "x.1" }, "distance", "summary" },

  claims = {
    { arm = "careless", stat = "data_terms", over = "careful", at_most = 0.1 },
    { arm = "careful", stat = "sd", of = "x.1", near = 0.1, within = 0.005 },
    { arm = "careless", stat = "sd", of = "x.1", at_least = 0.14, note = "biased" },
    { arm = "exact", stat = "sd", of = "x.1", near = 0.1, within = 0.005 },
    { arm = "careless", stat = "ks", at_least = 0.08 },
    { arm = "careful", stat = "ks", at_most = 0.03 },
    { arm = "exact", stat = "ks", at_most = 0.03 },
  },
}
