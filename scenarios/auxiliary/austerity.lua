-- Austerity: a sampler that accepts or rejects by a sample of rows, and is sometimes
-- wrong.
--
-- The method of Korattikara, Chen and Welling (2014) applies a t test to a batch of rows:
-- is the mean log ratio of the likelihoods above the threshold of the accept step? If the
-- result is not significant at level epsilon, the method adds rows, in the end all of
-- them. Easy decisions are cheap, but some decisions are wrong.
--
-- Watch `distance` (from the exact posterior). `careful` (epsilon 0.001) evaluates 750 of
-- 2000 rows on average, and its standard deviation is 0.099 instead of 0.100. `careless`
-- (epsilon 0.4) evaluates 58 rows, and its standard deviation is 0.148. The mean of
-- `careless` is right and its chains agree, so the diagnostics show nothing wrong.

-- Unlike kernels with auxiliary variables, austerity does not leave the posterior
-- invariant, for any epsilon above 0.

local cs = require "chainscope"

local function austerity(epsilon) return cs.kernel.austerity { step = 0.15, batch = 50, epsilon = epsilon } end

return cs.scenario {
  title  = "Austerity",
  shows  = "A test on few rows mostly decides as all rows would, but the sampled posterior is biased",
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
  screen = { "lesson", { "rows", arm = "careless" }, { "trace", quantity = "x.1" }, "distance", "summary" },

  claims = {
    { arm = "careless", stat = "data_terms", ratio_to = "careful", at_most = 0.1 },
    { arm = "careful", stat = "sd", of = "x.1", near = 0.1, within = 0.005 },
    { arm = "careless", stat = "sd", of = "x.1", at_least = 0.14, note = "biased" },
    { arm = "exact", stat = "sd", of = "x.1", near = 0.1, within = 0.005 },
    { arm = "careless", stat = "ks", at_least = 0.08 },
    { arm = "careful", stat = "ks", at_most = 0.03 },
    { arm = "exact", stat = "ks", at_most = 0.03 },
  },
}
