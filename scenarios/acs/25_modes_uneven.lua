-- Twenty-five modes of uneven weight.
--
-- As before, but the mode in one corner weighs 2.5 times the others: now a
-- sampler must find all modes and give each its due. The paper prints one
-- table for this (its Table 3) and no weights; the released program hints at
-- 1 and 0.4, which is what stands here. Its divergences are over all states,
-- ours over the 25 modes, so that sizes differ; the order should not.
--
-- One thing in the table cannot be: it gives the cyclical sampler the lower
-- mean log density, -3.39, and DMALA -2.66. A sampler that is exact has the
-- target's own mean, -2.83 here, whatever its step; both of ours have it.
local cs = require "chainscope"

local weights = {}
for i = 1, 25 do weights[i] = i == 1 and 1 or 0.4 end

return cs.scenario {
  title  = "25 modes, uneven",
  shows  = "all modes are found, and each gets its weight",
  source = "acs, appendix D.1, table 3",

  target = cs.target.lattice_modes { weights = weights },
  chains = 16, seed = 7,
  arms   = {
    walk  = cs.kernel.random_walk { width = 100 },
    dmala = cs.kernel.dmala { step = 53 },
    acs   = cs.kernel.dmala {
      step = cs.schedule.cosine { max = 1575, min = 3, period = 20 },
    },
  },
  budget = { steps = 10000 },
  full   = { seeds = 8 },
  screen = { "map", "visits", "trace", "energy", "acceptance" },

  claims = {
    { arm = "dmala", stat = "mode_kl", at_least = 0.3, paper = "KL 0.70" },
    { arm = "acs", stat = "mode_kl", at_most = 0.13, paper = "KL 0.13" },
    { arm = "dmala", stat = "log_density", near = -2.66, within = 0.1, holds = false,
      paper = "-2.66 +- 1.68", note = "the target's own mean is -2.83" },
    { arm = "acs", stat = "log_density", near = -3.39, within = 0.1, holds = false,
      paper = "-3.39 +- 1.63", note = "the target's own mean is -2.83" },
    { arm = "acs", stat = "modes_together", at_least = 25 },
    { arm = "walk", stat = "mode_kl", at_most = 0.02,
      note = "not in the paper: a true random walk with the same reach" },
  },
}
